import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { hasScreen } from '../paths.js';

const LINK = 'flex h-11 flex-1 items-center justify-center rounded-panel px-2 text-button font-medium';

/** The sign-in that leads back to this very address. */
export function useSignInAddress(): string {
  const { pathname, search } = useLocation();
  return `/components/login?back=${encodeURIComponent(`${pathname}${search}`)}`;
}

/** Guests see the ways in, in place of a form. */
export function GuestPrompt() {
  const { t } = useTranslation();
  const signIn = useSignInAddress();
  return (
    <div className="flex gap-2 p-3">
      {hasScreen(signIn) && (
        <Link to={signIn} className={`${LINK} bg-t1 text-on-t1`}>
          {t('nav.login')}
        </Link>
      )}
      {hasScreen('/register') && (
        <Link to="/register" className={`${LINK} border border-line-strong`}>
          {t('nav.register')}
        </Link>
      )}
    </div>
  );
}
