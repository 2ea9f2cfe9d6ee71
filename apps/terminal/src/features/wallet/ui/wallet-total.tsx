import { Eye, EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Product, WalletList } from '@bourse/contract';
import { Button, Num, Skeleton } from '@bourse/ui';
import { useWorth } from '../../../core/reference.js';
import { CurrencyMenu } from '../../../parts/currency-menu.js';
import { LinkButton } from '../../../parts/link-button.js';
import { ACCOUNT_TEXT, groupOf } from '../model/wallet.js';

/** The placeholder of figures that a person has hidden. */
export const HIDDEN = '••••••';
const LISTS = [
  { to: '/account/coinRecord', text: 'nav.coinRecord' },
  { to: '/transferRecord', text: 'wallet.history' },
] as const;

/** The value of all accounts and of this one, and the links to move money. */
export function WalletTotal({
  wallet,
  account,
  hidden,
  onHide,
  onTransfer,
}: {
  wallet: WalletList | undefined;
  account: Product;
  hidden: boolean;
  onHide: (hidden: boolean) => void;
  onTransfer: () => void;
}) {
  const { t } = useTranslation();
  const worth = useWorth();
  return (
    <div className="flex flex-wrap items-end justify-between gap-4">
      <div>
        <div className="flex min-h-9 items-center gap-2">
          <h1 className="flex items-center gap-2 text-body text-t2">
            {t('wallet.total')}
            <button
              type="button"
              aria-pressed={hidden}
              aria-label={t(hidden ? 'wallet.show' : 'wallet.hide')}
              onClick={() => onHide(!hidden)}
              className="grid size-6 place-items-center rounded-chip hover:text-t1"
            >
              {hidden ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
            </button>
          </h1>
          <CurrencyMenu />
        </div>
        {wallet ? (
          <p className="min-h-9 text-balance font-semibold">
            <Num>{hidden ? HIDDEN : worth(wallet.total_assets)}</Num>
          </p>
        ) : (
          <Skeleton className="h-9 w-48" />
        )}
        <p className="h-5 text-table text-t2">
          {wallet && (
            <>
              {t(ACCOUNT_TEXT[account])} <Num>{hidden ? HIDDEN : worth(groupOf(wallet, account).usdt_totle)}</Num>
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <LinkButton to="/rechargeMoney" kind="primary">
          {t('wallet.deposit')}
        </LinkButton>
        <LinkButton to="/account/withdraw">{t('wallet.withdraw')}</LinkButton>
        <Button onClick={onTransfer} disabled={!wallet}>
          {t('wallet.transfer')}
        </Button>
        {LISTS.map(({ to, text }) => (
          <Link
            key={to}
            to={to}
            className="inline-flex h-10 items-center rounded-panel px-3 text-button text-t2 underline hover:text-t1"
          >
            {t(text)}
          </Link>
        ))}
      </div>
    </div>
  );
}
