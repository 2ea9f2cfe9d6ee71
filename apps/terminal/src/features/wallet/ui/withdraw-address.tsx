import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Num, Panel, Skeleton } from '@bourse/ui';
import { useWallet } from '../../../core/wallet.js';
import { coinOfQuery } from '../model/deposit.js';
import { CoinSelect } from '../../../parts/coin-select.js';
import { Failed } from '../../../parts/failed.js';
import { BindForm } from './bind-address.js';
import { BoundList } from './bound-list.js';

/** The address book of withdrawals: bind an address with a code, see when it may be used, take it out. */
export default function WithdrawAddress() {
  const { t } = useTranslation();
  const { wallet, failed, retry } = useWallet();
  const [query, setQuery] = useSearchParams();
  const coins = wallet?.change_wallet.balance;
  const coin = coins && coinOfQuery(coins, query.get('id'), query.get('current'));
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-last font-semibold">{t('nav.withdrawAddress')}</h1>
      {failed ? (
        <Panel>
          <Failed retry={retry} />
        </Panel>
      ) : (
        <>
          <Panel className="flex flex-col gap-4 p-4">
            <CoinSelect
              coins={coins}
              value={coin?.currency}
              onChange={(id) => setQuery({ id: String(id) }, { replace: true })}
            />
            {coin ? (
              <BindForm key={coin.currency} currency={coin.currency} coin={coin.currency_name} />
            ) : (
              <Skeleton className="h-72 w-full" />
            )}
          </Panel>
          <Panel>
            <h2 className="border-b border-line px-4 py-3 text-title font-semibold">
              {t('wallet.boundAddresses')} {coin && <Num>{coin.currency_name}</Num>}
            </h2>
            {coin ? (
              <BoundList key={coin.currency} currency={coin.currency} />
            ) : (
              <div className="p-4">
                <Skeleton className="h-12 w-full" />
              </div>
            )}
          </Panel>
        </>
      )}
    </div>
  );
}
