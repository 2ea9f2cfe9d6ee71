import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { bidShareOf } from './imbalance.js';
import type { Ladder } from './ladder.js';

type Shown = Pick<Ladder, 'bids' | 'asks'>;
/** Paints a ladder; the book calls it with each of its own paints. */
export type LadderPainter = RefObject<((shown: Shown) => void) | undefined>;

/** The shares of bids and asks in the volume of the shown rows, written by the frame loop. */
export function ImbalanceBar({ painter, shown }: { painter: LadderPainter; shown: RefObject<Shown> }) {
  const { t } = useTranslation();
  const meter = useRef<HTMLDivElement>(null);
  const bid = useRef<HTMLSpanElement>(null);
  const ask = useRef<HTMLSpanElement>(null);
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let last: number | undefined;
    const paint = (ladder: Shown): void => {
      const share = bidShareOf(ladder);
      if (share === undefined || share === last || !meter.current || !bid.current || !ask.current || !bar.current)
        return;
      last = share;
      const [bids, asks] = [`${share}%`, `${100 - share}%`];
      bid.current.textContent = `▲ ${bids}`;
      ask.current.textContent = `${asks} ▼`;
      bar.current.style.width = bids;
      meter.current.setAttribute('aria-valuenow', String(share));
      meter.current.setAttribute('aria-valuetext', t('book.imbalanceText', { bids, asks }));
    };
    painter.current = paint;
    paint(shown.current);
    return () => {
      painter.current = undefined;
    };
  }, [painter, shown, t]);
  return (
    <div
      ref={meter}
      role="meter"
      aria-label={t('book.imbalance')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={50}
      dir="ltr"
      title={t('book.imbalance')}
      className="num flex h-6 shrink-0 items-center gap-2 px-3 text-label"
    >
      <span ref={bid} className="w-12 text-up" />
      <span className="keeps-colours flex h-1 flex-1 overflow-hidden rounded-xs bg-down">
        <span ref={bar} className="bg-up" style={{ width: '50%' }} />
      </span>
      <span ref={ask} className="w-12 text-end text-down" />
    </div>
  );
}
