import '../live.css';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { decodePublic, type View } from '@bourse/realtime';
import { formatBookPrice, formatFitting } from '@bourse/ui';
import { feed, frames } from '../../core/feed.js';
import { MarketTape } from '../stream/pair-stream.js';
import { RowPool } from './row-pool.js';

const ROWS = 20;
const ROW_PX = 20;
/** Characters of an amount that never touch the column beside it. */
const ROOM = 8;

/** Trades of all pairs as they happen. */
export function WholeMarketTape({
  scales,
}: {
  scales: (symbol: string) => { price_scale: number; number_scale: number } | undefined;
}) {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const look = useRef(scales);
  look.current = scales;
  useEffect(() => {
    if (!host.current) return;
    const tape = new MarketTape();
    const pool = new RowPool(host.current, ROWS, ROW_PX, ['first', 'tone wide', '']);
    const view: View = {
      paint: () => {
        for (let at = 0; at < ROWS; at += 1) {
          const trade = tape.trades[at];
          const scale = trade && look.current(trade.symbol);
          pool.write(
            at,
            trade && [
              trade.symbol,
              `${trade.direction === 'buy' ? '▲' : '▼'} ${formatBookPrice(trade.price, scale?.price_scale ?? 8)}`,
              formatFitting(trade.number, Math.min(4, scale?.number_scale ?? 4), ROOM),
            ],
            trade?.direction === 'sell' ? 'down' : 'up',
          );
        }
      },
    };
    frames.mark(view);
    const subscription = feed.subscribe(
      { channel: 'transaction' },
      {
        event: (push) => {
          if (tape.add(push)) frames.mark(view);
        },
        // Trades before the subscription; the snapshot lists them market by market.
        snapshot: (snapshot) => {
          if (!Array.isArray(snapshot)) return;
          const trades = snapshot
            .map((item: unknown) => decodePublic('transaction', item))
            .filter((trade) => trade !== undefined)
            .sort((a, b) => a.ts - b.ts);
          for (const trade of trades) tape.add(trade);
          frames.mark(view);
        },
      },
    );
    return () => {
      subscription.close();
      frames.drop(view);
    };
  }, []);
  return (
    <div role="table" aria-label={t('tape.all')} aria-live="off">
      <div role="row" className="flex h-7 items-center gap-2 px-3 text-label text-t2">
        <span role="columnheader" className="min-w-0 flex-1 truncate">
          {t('tape.pair')}
        </span>
        <span role="columnheader" className="min-w-0 flex-[1.5] truncate text-end">
          {t('tape.price')}
        </span>
        <span role="columnheader" className="min-w-0 flex-1 truncate text-end">
          {t('tape.amount')}
        </span>
      </div>
      <div ref={host} role="rowgroup" className="live-host" style={{ height: ROWS * ROW_PX }} />
    </div>
  );
}
