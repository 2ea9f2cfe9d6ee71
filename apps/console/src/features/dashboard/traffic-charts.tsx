import { useTranslation } from 'react-i18next';
import { clockTime, Num, Skeleton } from '@bourse/ui';
import type { TrafficPoint } from '../../core/work.js';
import { timeLine } from './dashboard-model.js';

const BOX = { width: 300, height: 60 };
const perSecond = (value: number): string => value.toFixed(2);
const CHARTS = [
  { name: 'calls', valueOf: (point: TrafficPoint) => point.calls, text: perSecond, colour: 'stroke-accent' },
  { name: 'refused', valueOf: (point: TrafficPoint) => point.refused, text: perSecond, colour: 'stroke-warn' },
  { name: 'failed', valueOf: (point: TrafficPoint) => point.failed, text: perSecond, colour: 'stroke-down' },
  {
    name: 'ack',
    valueOf: (point: TrafficPoint) => point.ack_p99_ms,
    text: (value: number) => `${value.toFixed(1)} ms`,
    colour: 'stroke-info',
  },
] as const;

/** The last hour as lines. The figures under a line are what is read aloud; the line shows where they came from. */
export function TrafficCharts({ points }: { points: readonly TrafficPoint[] | undefined }) {
  const { t } = useTranslation();
  if (points === undefined) return <Skeleton className="h-24 w-full" />;
  const times = points.map(({ time }) => time);
  const [first, last] = [times[0], times.at(-1)];
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {CHARTS.map(({ name, valueOf, text, colour }) => {
          const line = timeLine(times, points.map(valueOf), BOX);
          return (
            <figure key={name} className="m-0 flex flex-col gap-1" data-chart={name}>
              <figcaption className="text-table text-t2">{t(`dash.history.${name}`)}</figcaption>
              <svg
                aria-hidden
                viewBox={`0 -2 ${BOX.width} ${BOX.height + 4}`}
                preserveAspectRatio="none"
                className="h-16 w-full rounded-panel border border-line bg-bg2"
              >
                {line && (
                  <path
                    d={line.path}
                    fill="none"
                    strokeWidth="1.5"
                    vectorEffect="non-scaling-stroke"
                    className={colour}
                  />
                )}
              </svg>
              <span className="flex justify-between text-label text-t3">
                <Num>{first === undefined ? '' : clockTime(first)}</Num>
                <Num>{last === undefined ? '' : clockTime(last)}</Num>
              </span>
              <Num className="text-table">
                {line ? t('dash.history.figures', { now: text(line.now), most: text(line.most) }) : '–'}
              </Num>
            </figure>
          );
        })}
      </div>
      <p className="m-0 pt-2 text-label text-t3">{t('dash.history.whose')}</p>
    </>
  );
}
