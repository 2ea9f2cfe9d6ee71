import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { Panel, Tabs } from '@bourse/ui';
import { useWallet } from '../../../core/wallet.js';
import { ClaimList } from './claim-list.js';
import { CoinSelect } from '../../../parts/coin-select.js';
import { DepositList } from './deposit-list.js';
import { WithdrawalList } from './withdrawal-list.js';

const TABS = ['deposits', 'withdrawals', 'claims'] as const;
type Tab = (typeof TABS)[number];

/** Deposits and withdrawals over the chains, and the claims: the address keeps tab and coin. */
export default function CoinRecord() {
  const { t } = useTranslation();
  const { wallet } = useWallet();
  const [query, setQuery] = useSearchParams();
  const coins = wallet?.change_wallet.balance;
  const tab = TABS.find((name) => name === query.get('tab')) ?? 'deposits';
  const coin = coins?.find(
    ({ currency, currency_name: name }) => String(currency) === query.get('current') || name === query.get('current'),
  );
  const show = (next: Tab, currency: number | undefined): void =>
    setQuery({ tab: next, ...(currency ? { current: String(currency) } : {}) }, { replace: true });
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <h1 className="text-last font-semibold">{t('nav.coinRecord')}</h1>
        <div className="flex items-end gap-3">
          <Link
            to="/rechargeMoney"
            className="inline-flex h-10 items-center text-button text-t2 underline hover:text-t1"
          >
            {t('wallet.deposit')}
          </Link>
          <CoinSelect all coins={coins} value={coin?.currency} onChange={(id) => show(tab, id || undefined)} />
        </div>
      </div>
      <Panel>
        <Tabs<Tab>
          label={t('nav.coinRecord')}
          value={tab}
          onChange={(next) => show(next, coin?.currency)}
          tabs={TABS.map((id) => ({ id, label: t(`wallet.${id}`) }))}
        >
          {tab === 'deposits' ? (
            <DepositList key={coin?.currency ?? 0} currency={coin?.currency} />
          ) : tab === 'withdrawals' ? (
            <WithdrawalList key={coin?.currency ?? 0} currency={coin?.currency} />
          ) : (
            <ClaimList key={coin?.currency ?? 0} currency={coin?.currency} coins={coins} />
          )}
        </Tabs>
      </Panel>
    </>
  );
}
