import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Num, Skeleton } from '@bourse/ui';
import { useTheme } from '../../core/theme.js';
import type { TrafficPoint } from '../../core/work.js';
import { figuresOf, pointsOf } from './dashboard-model.js';
import type { LineChart } from './line-chart.js';

const perSecond = (value: number): string => value.toFixed(2);
const CHARTS = [
  { name: 'calls', valueOf: (point: TrafficPoint) => point.calls, text: perSecond, token: '--accent' },
  { name: 'refused', valueOf: (point: TrafficPoint) => point.refused, text: perSecond, token: '--warn' },
  { name: 'failed', valueOf: (point: TrafficPoint) => point.failed, text: perSecond, token: '--down' },
  {
    name: 'ack',
    valueOf: (point: TrafficPoint) => point.ack_p99_ms,
    text: (value: number) => `${value.toFixed(1)} ms`,
    token: '--info',
  },
] as const;

/** The last hour as lines. Screen readers read the figures under a line; the line shows how they developed. */
export function TrafficCharts({ points }: { points: readonly TrafficPoint[] | undefined }) {
  const { t } = useTranslation();
  if (points === undefined) return <Skeleton className="h-24 w-full" />;
  const times = points.map(({ time }) => time);
  return (
    <>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2 2xl:grid-cols-4">
        {CHARTS.map(({ name, valueOf, text, token }) => {
          const values = points.map(valueOf);
          const figures = figuresOf(values);
          return (
            <figure key={name} className="m-0 flex min-w-0 flex-col gap-1" data-chart={name}>
              <figcaption className="text-table text-t2">{t(`dash.history.${name}`)}</figcaption>
              <Line points={pointsOf(times, values)} text={text} token={token} />
              <Num className="text-table">
                {figures ? t('dash.history.figures', { now: text(figures.now), most: text(figures.most) }) : '–'}
              </Num>
            </figure>
          );
        })}
      </div>
      <p className="m-0 pt-2 text-label text-t3">{t('dash.history.whose')}</p>
    </>
  );
}

/** The chart is drawn by a library that is loaded when the first one is shown. */
function Line({
  points,
  text,
  token,
}: {
  points: ReturnType<typeof pointsOf>;
  text: (value: number) => string;
  token: string;
}) {
  const { theme } = useTheme();
  const host = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<LineChart>();
  useEffect(() => {
    let made: LineChart | undefined;
    let isGone = false;
    const make = async (): Promise<void> => {
      const { LineChart: Chart } = await import('./line-chart.js');
      if (isGone || !host.current) return;
      made = new Chart(host.current, text);
      setChart(made);
    };
    make().catch((error: unknown) => console.warn('the chart was not loaded', error));
    return () => {
      isGone = true;
      made?.remove();
      setChart(undefined);
    };
  }, [text]);
  useEffect(() => chart?.paint(token), [chart, token, theme]);
  useEffect(() => chart?.show(points), [chart, points]);
  return <div ref={host} aria-hidden className="h-32 overflow-hidden rounded-panel border border-line" dir="ltr" />;
}
