import { useTranslation } from 'react-i18next';
import type { Tick } from '@bourse/contract';
import { grouped } from '@bourse/ui';
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
  return (
    <svg
      role="img"
      aria-label={t('micro.pictureLabel', {
        low: grouped(picture.low),
        high: grouped(picture.high),
        open: openPrice === '' ? '–' : grouped(openPrice),
        median: median ? grouped(median.price) : '–',
      })}
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      className="h-auto w-full rounded-panel bg-bg2"
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
      <polyline
        points={picture.dots.map(({ x, y }) => `${x},${y}`).join(' ')}
        fill="none"
        strokeWidth={1.5}
        className="stroke-info"
      />
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
  );
}
