import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { cx, Num } from '@bourse/ui';
import { moveApart, type ChartLine } from './marks.js';
import type { PriceChart } from './price-chart.js';

/** How often the labels follow the price axis, which tells nobody when it is pulled. */
const FOLLOW_MS = 100;
const LABEL_PX = 22;

/** The label of each line that can be taken away, with the button to do so; no label lies over another one. */
export function LineHandles({ chart, lines }: { chart: PriceChart | undefined; lines: readonly ChartLine[] }) {
  const host = useRef<HTMLDivElement>(null);
  const offered = lines.filter((line) => line.cancel !== undefined);
  const now = useRef(offered);
  now.current = offered;
  useEffect(() => {
    if (!chart) return undefined;
    const follow = (): void => placeLabels(host.current, chart, now.current);
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

/** Each label at its line, or as near to it as the others leave; outside of the visible prices it is hidden. */
function placeLabels(host: HTMLElement | null, chart: PriceChart, lines: readonly ChartLine[]): void {
  const seen = lines.flatMap((line, at) => {
    const label = host?.children[at] as HTMLElement | undefined;
    const y = chart.yOf(line.price);
    if (label) label.style.visibility = y === undefined ? 'hidden' : '';
    return label && y !== undefined ? [{ label, y: y - LABEL_PX / 2 }] : [];
  });
  const places = moveApart(
    seen.map(({ y }) => y),
    LABEL_PX,
    chart.height() - LABEL_PX,
  );
  for (const [at, { label }] of seen.entries()) label.style.transform = `translateY(${Math.round(places[at] ?? 0)}px)`;
}
