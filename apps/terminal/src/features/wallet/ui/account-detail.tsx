import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { formatBalance, Num, Panel, Skeleton } from '@bourse/ui';
import { useWorth } from '../../../core/reference.js';
import { useWallet } from '../../../core/wallet.js';
import { coinOfQuery } from '../model/deposit.js';
import { ACCOUNT_TEXT, accountOfPath, coinRow, groupOf, LIST_ADDRESS, TRANSFER_ADDRESS } from '../model/wallet.js';
import { CoinSelect } from '../../../parts/coin-select.js';
import { LinkButton } from '../../../parts/link-button.js';
import { Failed } from '../../../parts/failed.js';
import { Records } from './records.js';

/** One coin in one account: what there is, and everything that moved it. */
export default function AccountDetail() {
  const { t } = useTranslation();
  const { wallet, failed, retry } = useWallet();
  const worth = useWorth();
  const [query, setQuery] = useSearchParams();
  const account = accountOfPath(useLocation().pathname);
  const coins = wallet && groupOf(wallet, account).balance;
  const coin = coins && coinOfQuery(coins, query.get('currency_id'), null);
  const row = coin && coinRow(coin, account);
  const figures = [
    ['available', row && formatBalance(row.available)],
    ['frozen', row && formatBalance(row.frozen)],
    ['worth', row && worth(row.converted)],
  ] as const;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <Link to={LIST_ADDRESS[account]} className="text-table text-t2 underline hover:text-t1">
            {t('wallet.title')}
          </Link>
          <h1 className="text-last font-semibold">
            {t(ACCOUNT_TEXT[account])} {row && <Num>{row.name}</Num>}
          </h1>
        </div>
        <div className="flex items-end gap-3">
          <CoinSelect
            coins={coins}
            value={coin?.currency}
            onChange={(id) => setQuery({ currency_id: String(id) }, { replace: true })}
          />
          <LinkButton to={TRANSFER_ADDRESS[account]}>{t('wallet.transfer')}</LinkButton>
        </div>
      </div>
      {failed ? (
        <Panel>
          <Failed retry={retry} />
        </Panel>
      ) : (
        <>
          <Panel>
            <dl className="grid gap-4 p-4 md:grid-cols-3">
              {figures.map(([name, text]) => (
                <div key={name}>
                  <dt className="text-table text-t2">{t(`wallet.${name}`)}</dt>
                  <dd className="text-title font-medium">
                    {text === undefined ? <Skeleton className="h-6 w-32" /> : <Num>{text}</Num>}
                  </dd>
                </div>
              ))}
            </dl>
          </Panel>
          <Panel>
            <h2 className="border-b border-line px-4 py-3 text-title font-semibold">{t('wallet.records')}</h2>
            {coin ? (
              <Records
                key={`${account}:${coin.currency}`}
                account={account}
                currency={coin.currency}
                coin={coin.currency_name}
              />
            ) : (
              <div className="p-4">
                <Skeleton className="h-32 w-full" />
              </div>
            )}
          </Panel>
        </>
      )}
    </div>
  );
}
