import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Empty } from '@bourse/ui';
import { useSignInAddress } from '../../../parts/guest-prompt.js';
import { hasScreen } from '../../../paths.js';

/** Replaces orders and balances for guests. */
export function GuestOrders() {
  const { t } = useTranslation();
  const signIn = useSignInAddress();
  return (
    <Empty
      action={
        hasScreen(signIn) && (
          <Link className="text-accent underline" to={signIn}>
            {t('nav.login')}
          </Link>
        )
      }
    >
      {t('orders.guest')}
    </Empty>
  );
}
