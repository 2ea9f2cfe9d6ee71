import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { cx, Num } from '@bourse/ui';
import { FOLLOW_MS, placeAtLines } from './line-places.js';
import type { ChartLine } from './marks.js';
import type { PriceChart } from './price-chart.js';

const LABEL_PX = 22;

/** The label of each line that can be taken away, with the button to do so; no label lies over another one. */
export function LineHandles({ chart, lines }: { chart: PriceChart | undefined; lines: readonly ChartLine[] }) {
  const host = useRef<HTMLDivElement>(null);
  const offered = lines.filter((line) => line.cancel !== undefined);
  const now = useRef(offered);
  now.current = offered;
  useEffect(() => {
    if (!chart) return undefined;
    const follow = (): void => placeAtLines(chart, host.current, now.current, LABEL_PX);
    follow();
    const timer = setInterval(follow, FOLLOW_MS);
    return () => clearInterval(timer);
  }, [chart, offered.length]);
  return (
    <div ref={host} dir="ltr">
      {offered.map((line) => (
        <span
          key={line.id}
          data-label={line.id}
          style={{ visibility: 'hidden' }}
          className={cx(
            'absolute top-0 left-2 z-10 flex h-5 max-w-[60%] items-center rounded-chip border ' +
              'bg-bg1 text-label text-t1',
            line.side === 'buy' ? 'border-up' : 'border-down',
          )}
        >
          <Num className="truncate ps-1.5">{line.text}</Num>
          <button
            type="button"
            aria-label={line.cancel?.label}
            title={line.cancel?.label}
            onClick={line.cancel?.run}
            className="grid size-5 shrink-0 place-items-center rounded-chip text-t2 hover:bg-bg3 hover:text-t1"
          >
            <X size={12} aria-hidden />
          </button>
        </span>
      ))}
    </div>
  );
}
