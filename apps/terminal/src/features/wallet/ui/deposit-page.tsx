import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { Panel, Skeleton } from '@bourse/ui';
import { useWallet } from '../../../core/wallet.js';
import { coinOfQuery } from '../model/deposit.js';
import { ClaimForm } from './claim-form.js';
import { CoinSelect } from '../../../parts/coin-select.js';
import { DepositList } from './deposit-list.js';
import { DepositPanel } from './deposit-panel.js';
import { Failed } from '../../../parts/failed.js';

/** One coin's deposit: its address, what is on its way, and a claim for what has not arrived. */
export default function DepositPage() {
  const { t } = useTranslation();
  const { wallet, failed, retry } = useWallet();
  const [query, setQuery] = useSearchParams();
  const coins = wallet?.change_wallet.balance;
  const coin = coins && coinOfQuery(coins, query.get('id'), query.get('current'));
  const choose = (id: number): void =>
    setQuery(
      { id: String(id), current: coins?.find(({ currency }) => currency === id)?.currency_name ?? '' },
      { replace: true },
    );
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h1 className="text-last font-semibold">{t('wallet.depositTitle')}</h1>
        <Link to="/account/recharge" className="text-table text-t2 underline hover:text-t1">
          {t('wallet.allAddresses')}
        </Link>
      </div>
      {failed ? (
        <Panel>
          <Failed retry={retry} />
        </Panel>
      ) : wallet && wallet.is_open_CTbi !== 1 ? (
        <Panel>
          <p role="status" className="p-6 text-center text-t2">
            {t('noopen')}
          </p>
        </Panel>
      ) : (
        <Panel>
          <div className="border-b border-line p-4">
            <CoinSelect coins={coins} value={coin?.currency} onChange={choose} />
          </div>
          {coin ? (
            <DepositPanel key={coin.currency} currency={coin.currency} coin={coin.currency_name} />
          ) : (
            <div className="p-4">
              <Skeleton className="h-60 w-full" />
            </div>
          )}
        </Panel>
      )}
      <Panel>
        <h2 className="border-b border-line px-4 py-3 text-title font-semibold">{t('wallet.deposits')}</h2>
        {coin ? (
          <DepositList key={coin.currency} currency={coin.currency} />
        ) : (
          <div className="p-4">
            <Skeleton className="h-16 w-full" />
          </div>
        )}
      </Panel>
      {coin && wallet?.is_open_CTbi === 1 && (
        <ClaimForm key={coin.currency} currency={coin.currency} coin={coin.currency_name} />
      )}
    </div>
  );
}
