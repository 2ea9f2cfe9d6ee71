import { useTranslation } from 'react-i18next';
import type { Tick } from '@bourse/contract';
import { clockTime, grouped, Num } from '@bourse/ui';
import { pictureOf } from '../model/receipt.js';

const SIZE = { width: 640, height: 160 };

/** The price from acceptance to expiry: the ticks that judge as dots, the median ringed, the opening as a line. */
export function TickPicture({
  ticks,
  judging,
  median,
  openPrice,
}: {
  ticks: readonly Tick[];
  judging: readonly Tick[];
  median: Tick | undefined;
  openPrice: string;
}) {
  const { t } = useTranslation();
  const picture = pictureOf(ticks, openPrice, SIZE);
  if (!picture) return null;
  const judges = new Set(judging.map(({ id }) => id));
  const [first, last] = [ticks[0], ticks.at(-1)];
  return (
    <div dir="ltr" className="relative rounded-panel bg-bg2 text-label text-t2">
      <Num className="absolute end-2 top-1">{grouped(picture.high)}</Num>
      <Num className="absolute end-2 bottom-6">{grouped(picture.low)}</Num>
      <svg
        role="img"
        aria-label={t('micro.pictureLabel', {
          low: grouped(picture.low),
          high: grouped(picture.high),
          open: openPrice === '' ? '–' : grouped(openPrice),
          median: median ? grouped(median.price) : '–',
        })}
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        className="h-auto w-full"
        direction="ltr"
      >
        {picture.openY !== undefined && (
          <line
            x1={0}
            x2={SIZE.width}
            y1={picture.openY}
            y2={picture.openY}
            strokeDasharray="6 4"
            className="stroke-t2"
            vectorEffect="non-scaling-stroke"
          />
        )}
        {picture.runs.map((run) => (
          <polyline
            key={run[0]?.tick.id}
            points={run.map(({ x, y }) => `${x},${y}`).join(' ')}
            fill="none"
            strokeWidth={1.5}
            className="stroke-info"
          />
        ))}
        {picture.runs.slice(1).map((run, at) => (
          <line
            key={run[0]?.tick.id}
            x1={picture.runs[at]?.at(-1)?.x}
            y1={picture.runs[at]?.at(-1)?.y}
            x2={run[0]?.x}
            y2={run[0]?.y}
            strokeDasharray="1 7"
            className="stroke-t3"
          />
        ))}
        {picture.dots
          .filter(({ tick }) => !judges.has(tick.id))
          .map(({ tick, x, y }) => (
            <circle key={tick.id} cx={x} cy={y} r={2.5} className="fill-info" />
          ))}
        {picture.dots
          .filter(({ tick }) => judges.has(tick.id))
          .map(({ tick, x, y }) => (
            <g key={tick.id}>
              <circle cx={x} cy={y} r={4} className="fill-t1" />
              {tick.id === median?.id && (
                <circle cx={x} cy={y} r={9} fill="none" strokeWidth={2.5} className="stroke-accent" />
              )}
            </g>
          ))}
      </svg>
      {first && last && (
        <p className="flex justify-between px-2 pb-1">
          <Num>{clockTime(first.time)}</Num>
          <Num>{clockTime(last.time)}</Num>
        </p>
      )}
    </div>
  );
}
