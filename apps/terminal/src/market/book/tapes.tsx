import '../live.css';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import type { View } from '@bourse/realtime';
import { Checkbox, clockTime, formatBookPrice, formatFitting } from '@bourse/ui';
import { useKept } from '../../prefs/use-kept.js';
import type { PairStream } from '../stream/pair-stream.js';
import { LiveHead } from './live-head.js';
import { RowPool } from './row-pool.js';

const ROWS = 20;
const ROW_PX = 20;
/** Characters of an amount that never touch the column beside it. */
const ROOM = 8;
/** Stands at a trade of the house with itself; the words are its tooltip and its name. */
const HOUSE_SIGN = '⌂';

/** The last 20 trades of the pair. */
export function TradeTape({ pair, stream }: { pair: QuotationItem; stream: PairStream }) {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const [withHouse, setWithHouse] = useKept('tape.house', true);
  const [anyHouse, setAnyHouse] = useState(false);
  useEffect(() => {
    if (!host.current) return;
    const pool = new RowPool(host.current, ROWS, ROW_PX, ['first tone wide', '', '', 'mark']);
    const houseTip = t('tape.houseTip');
    const view: View = {
      paint: () => {
        const { trades } = stream.tape;
        setAnyHouse(trades.some(({ house }) => house));
        const shown = withHouse ? trades : trades.filter(({ house }) => !house);
        for (let at = 0; at < ROWS; at += 1) {
          const trade = shown[at];
          pool.write(
            at,
            trade && [
              `${trade.direction === 'buy' ? '▲' : '▼'} ${formatBookPrice(trade.price, pair.price_scale)}`,
              formatFitting(trade.amount, Math.min(4, pair.number_scale), ROOM),
              clockTime(trade.ts),
              trade.house ? HOUSE_SIGN : '',
            ],
            trade?.direction === 'sell' ? 'down' : 'up',
            trade?.house ? houseTip : '',
          );
        }
      },
    };
    return stream.showTape(view);
  }, [pair.symbol, pair.price_scale, pair.number_scale, stream, withHouse, t]);
  return (
    <>
      {anyHouse && (
        <Checkbox
          label={
            <span title={t('tape.houseTip')}>
              {t('tape.houseTrades')} {HOUSE_SIGN}
            </span>
          }
          checked={withHouse}
          onChange={({ target }) => setWithHouse(target.checked)}
          className="px-3"
        />
      )}
      <div role="table" aria-label={t('tape.title')} aria-live="off">
        <LiveHead pair={pair} third={t('tape.time')} after={t('tape.house')} />
        <div ref={host} role="rowgroup" className="live-host" style={{ height: ROWS * ROW_PX }} />
      </div>
    </>
  );
}
