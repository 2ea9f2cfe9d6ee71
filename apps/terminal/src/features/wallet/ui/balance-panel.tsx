import { useTranslation } from 'react-i18next';
import type { Product } from '@bourse/contract';
import type { CoinRow } from '../model/wallet.js';
import { DepositPanel } from './deposit-panel.js';
import { Records } from './records.js';
import { WithdrawPanel } from './withdraw-panel.js';

export type PanelName = 'deposit' | 'withdraw' | 'records';

/** The panel under a coin: one of three, or a note that the coin's money cannot be moved now. */
export function BalancePanel({
  panel,
  account,
  row,
  isOpen,
}: {
  panel: PanelName;
  account: Product;
  row: CoinRow;
  isOpen: boolean;
}) {
  const { t } = useTranslation();
  if (panel !== 'records' && !isOpen)
    return (
      <p role="status" className="p-6 text-center text-body text-t2">
        {t('noopen')}
      </p>
    );
  if (panel === 'deposit') return <DepositPanel currency={row.currency} coin={row.name} />;
  if (panel === 'withdraw') return <WithdrawPanel currency={row.currency} coin={row.name} available={row.available} />;
  return <Records account={account} currency={row.currency} coin={row.name} />;
}
