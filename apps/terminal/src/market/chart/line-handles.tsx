import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ChartLine } from './marks.js';
import type { PriceChart } from './price-chart.js';

/** How often the handles follow the price axis, which tells nobody when it is pulled. */
const FOLLOW_MS = 100;

/** At each line that can be taken away a button to do so; outside of the visible prices it is hidden. */
export function LineHandles({ chart, lines }: { chart: PriceChart | undefined; lines: readonly ChartLine[] }) {
  const host = useRef<HTMLDivElement>(null);
  const offered = lines.filter((line) => line.cancel !== undefined);
  const now = useRef(offered);
  now.current = offered;
  useEffect(() => {
    if (!chart) return undefined;
    const follow = (): void => {
      for (const [at, line] of now.current.entries()) {
        const handle = host.current?.children[at] as HTMLElement | undefined;
        const y = chart.yOf(line.price);
        if (!handle) continue;
        handle.style.visibility = y === undefined ? 'hidden' : '';
        if (y !== undefined) handle.style.transform = `translateY(${Math.round(y) - 10}px)`;
      }
    };
    follow();
    const timer = setInterval(follow, FOLLOW_MS);
    return () => clearInterval(timer);
  }, [chart, offered.length]);
  return (
    <div ref={host} dir="ltr">
      {offered.map((line) => (
        <button
          key={line.id}
          type="button"
          aria-label={line.cancel?.label}
          title={line.cancel?.label}
          onClick={line.cancel?.run}
          style={{ visibility: 'hidden' }}
          className={
            'absolute top-0 left-2 z-10 grid size-5 place-items-center rounded-chip ' +
            'border border-line-strong bg-bg1 text-t2 hover:text-t1'
          }
        >
          <X size={12} aria-hidden />
        </button>
      ))}
    </div>
  );
}
