import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { Skeleton, Tabs } from '@bourse/ui';
import type { PairStream } from '../stream/pair-stream.js';
import { lazyScreen } from '@bourse/web';
import { CandleView } from './candle-view.js';
import type { IntervalId } from './intervals.js';
import type { ChartMarks } from './marks.js';
import type { PriceOrder } from './price-orders.js';

export type ChartViewName = 'chart' | 'depth' | 'info';
interface Props {
  pair: QuotationItem;
  stream: PairStream;
  /** The feature's drawings over the candles: its orders, positions and fills. */
  marks: ChartMarks;
  interval: IntervalId;
  onInterval: (interval: IntervalId) => void;
  /** Shows this view alone, without tabs. */
  only?: ChartViewName;
  /** Age of the pair's data in milliseconds once it is old, else undefined. */
  age: number | undefined;
  /** Fills the ticket with an order that the chart's menu of a price begins. */
  onOrder?: (order: PriceOrder) => void;
}

/** The contents of the other tabs are loaded when they are opened. */
const CoinView = lazyScreen(async () => ({ default: (await import('./coin-view.js')).CoinView }));
const DepthView = lazyScreen(async () => ({ default: (await import('./depth-view.js')).DepthView }));

/** Chart, depth and coin information of the pair. */
export function ChartPanel({ pair, stream, marks, interval, onInterval, only, age, onOrder }: Props) {
  const { t } = useTranslation();
  const [view, setView] = useState<ChartViewName>('chart');
  const shown = only ?? view;
  const body = (
    <Suspense fallback={<Skeleton className="m-4 h-40" />}>
      {shown === 'chart' ? (
        <CandleView {...{ pair, interval, onInterval, marks, age, onOrder }} />
      ) : shown === 'depth' ? (
        <DepthView pair={pair} stream={stream} age={age} />
      ) : (
        <CoinView id={pair.currency_id} />
      )}
    </Suspense>
  );
  if (only) return <div className="flex min-h-0 flex-1 flex-col">{body}</div>;

  return (
    <Tabs
      label={t('chart.views')}
      value={view}
      onChange={setView}
      panelClassName="flex min-h-0 flex-1 flex-col"
      tabs={[
        { id: 'chart', label: t('chart.chart') },
        { id: 'depth', label: t('chart.depth') },
        { id: 'info', label: t('chart.info') },
      ]}
    >
      {body}
    </Tabs>
  );
}
