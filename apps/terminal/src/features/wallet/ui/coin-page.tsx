import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import type { CoinBalance } from '@bourse/contract';
import { Panel, Skeleton } from '@bourse/ui';
import { useWallet } from '../../../core/wallet.js';
import { CoinSelect } from '../../../parts/coin-select.js';
import { Failed } from '../../../parts/failed.js';
import { coinOfQuery } from '../model/deposit.js';

/**
 * A page that moves one coin over its networks: the choice of the coin, kept in the address, the panel that moves it,
 * and the list of what was moved, which comes with the panel that would move it. While the exchange has deposits and
 * withdrawals closed, a note replaces the panel.
 */
export function CoinPage({
  title,
  link,
  panel,
  listTitle,
  list,
  children,
}: {
  readonly title: string;
  readonly link: { readonly to: string; readonly text: string };
  /** The panel; it calls `onSettled` when it has its height: its readings have come or failed. */
  readonly panel: (coin: CoinBalance, onSettled: () => void) => ReactNode;
  readonly listTitle: string;
  readonly list: (coin: CoinBalance) => ReactNode;
  readonly children?: (coin: CoinBalance) => ReactNode;
}) {
  const { t } = useTranslation();
  const { wallet, failed, retry } = useWallet();
  const [query, setQuery] = useSearchParams();
  const [settled, setSettled] = useState<number>();
  const coins = wallet?.change_wallet.balance;
  const coin = coins && coinOfQuery(coins, query.get('id'), query.get('current'));
  const isClosed = wallet !== undefined && wallet.is_open_CTbi !== 1;
  const isSettled = failed || isClosed || (coin !== undefined && settled === coin.currency);
  const choose = (id: number): void =>
    setQuery(
      { id: String(id), current: coins?.find(({ currency }) => currency === id)?.currency_name ?? '' },
      { replace: true },
    );
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h1 className="text-last font-semibold">{title}</h1>
        <Link to={link.to} className="text-table text-t2 underline hover:text-t1">
          {link.text}
        </Link>
      </div>
      {failed ? (
        <Panel>
          <Failed retry={retry} />
        </Panel>
      ) : isClosed ? (
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
          {coin ? panel(coin, () => setSettled(coin.currency)) : <Skeleton className="m-4 h-60" />}
        </Panel>
      )}
      {coin && isSettled && (
        <Panel>
          <h2 className="border-b border-line px-4 py-3 text-title font-semibold">{listTitle}</h2>
          {list(coin)}
        </Panel>
      )}
      {coin && isSettled && !isClosed && children?.(coin)}
    </div>
  );
}
