import '../live.css';
import { Suspense, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { LOCALES } from '@bourse/i18n';
import type { QuotationItem } from '@bourse/contract';
import { Badge, cx, localTime, Skeleton } from '@bourse/ui';
import { current, loadWithTexts } from '../../core/i18n.js';
import { lazyScreen } from '@bourse/web';
import { Failed } from '../../parts/failed.js';
import { useKept } from '../../prefs/use-kept.js';
import { ChartBar } from './chart-bar.js';
import { barTime } from './bar-time.js';
import { ChartTools } from './chart-tools.js';
import type { ChartTool } from './drawing-layer.js';
import { readDrawings } from './drawing-tools.js';
import { readChosen } from './indicators/chosen.js';
import { intervalOf, type IntervalId, type ScaleId } from './intervals.js';
import { barTexts, stepBar } from './keyboard.js';
import { useFullScreen } from './use-full-screen.js';
import type { ChartMarks } from './marks.js';
import { isSimulated, type BarHistory } from './simulated.js';
import { useAlerts } from './use-alerts.js';
import { useMarketSource } from '../stream/market-source.js';
import type { PriceOrder } from './price-orders.js';
import { useCandles, type BarSink, type CandleSource } from './use-candles.js';
import { usePriceChart } from './use-price-chart.js';
import { usePricePlace } from './use-price-place.js';

const BarsTable = lazyScreen(async () => ({ default: (await import('./bars-table.js')).BarsTable }));
const DrawingLayer = lazyScreen(async () => ({
  default: (await loadWithTexts(import('./drawing-layer.js'), ['charts'])).DrawingLayer,
}));
const PriceMenu = lazyScreen(async () => ({
  default: (await loadWithTexts(import('./price-menu.js'), ['charts'])).PriceMenu,
}));
const LineLabels = lazyScreen(async () => ({ default: (await import('./line-labels.js')).LineLabels }));

interface Props {
  pair: QuotationItem;
  interval: IntervalId;
  onInterval: (interval: IntervalId) => void;
  marks: ChartMarks;
  age: number | undefined;
  /** Fills a ticket with an order of the menu of a price; absent where the chart has none. */
  onOrder?: ((order: PriceOrder) => void) | undefined;
}
/** Bars that the table shows. */
const TABLE_BARS = 100;

/** Candles or the time-share line of a pair, with its bar of choices. */
export function CandleView({ pair, interval, onInterval, marks, age, onOrder }: Props) {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const sink = useRef<BarSink | undefined>(undefined);
  const legend = useRef<HTMLDivElement>(null);
  const panes = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const full = useFullScreen(box);
  const [kept, keep] = useKept<unknown>(`chart.indicators.${pair.symbol}`, undefined);
  const indicators = useMemo(() => readChosen(kept), [kept]);
  const [scale, setScale] = useKept<ScaleId>('chart.scale', 'linear');
  const [table, setTable] = useState<BarHistory | undefined>();
  const chosen = intervalOf(interval);
  const candles = useCandles(pair.symbol, chosen, sink);
  const look = {
    kind: interval === 'line' ? ('line' as const) : ('candles' as const),
    interval,
    indicators,
    scale,
    priceScale: pair.price_scale,
    locale: LOCALES[current()].intlTag,
    words: {
      open: t('chart.open'),
      high: t('chart.high'),
      low: t('chart.low'),
      close: t('chart.close'),
      change: t('chart.change'),
      volume: t('chart.volume'),
    },
  };
  const alerts = useAlerts(pair);
  const { isLive } = useMarketSource();
  const lines = useMemo(
    () => (isLive ? [...marks.lines, ...alerts.lines] : marks.lines),
    [marks.lines, alerts.lines, isLive],
  );
  const drawn = useMemo(() => ({ lines, markers: marks.markers }), [lines, marks.markers]);
  const { chart } = usePriceChart({ host, legend, panes }, sink, look, drawn, candles.history);
  const reader = useBarReader(pair, interval, candles.history);
  const lastPrice = (): string | undefined => candles.history().bars.at(-1)?.close.toFixed(pair.price_scale);
  const pricePlace = usePricePlace(chart, () => reader.close() ?? lastPrice());
  const [tool, setTool] = useState<ChartTool | undefined>();
  const [keptDrawings, setDrawings] = useKept<unknown>(`chart.drawings.${pair.symbol}`, undefined);
  const drawings = useMemo(() => readDrawings(keptDrawings), [keptDrawings]);
  const savePicture = (): void => {
    if (!chart) return;
    const title = `${pair.symbol} · ${t(`interval.${interval}`)} · ${localTime(Date.now())}`;
    void import('./chart-picture.js').then(({ saveChart }) =>
      saveChart(chart.picture(), title, `${pair.symbol.replace('/', '-')} ${interval}.png`, t('common.loadFailed')),
    );
  };
  return (
    <div ref={box} className={cx('flex min-h-0 flex-1 flex-col bg-bg1', full.on && 'fixed inset-0 z-40')}>
      <div className="flex shrink-0 items-center gap-x-2 px-2 max-md:flex-wrap">
        <ChartBar interval={interval} onInterval={onInterval} />
        <ChartTools
          indicators={indicators}
          onIndicators={keep}
          scale={scale}
          onScale={setScale}
          tool={tool}
          onTool={setTool}
          hasAlerts={isLive}
          drawings={drawings}
          onDrawings={setDrawings}
          onFit={() => chart?.fit()}
          onPicture={savePicture}
          full={full}
          onTable={() => setTable(newest(candles.history(), TABLE_BARS))}
        />
      </div>
      <div className={cx('relative isolate min-h-0 flex-1 overflow-hidden', age !== undefined && 'stale')}>
        <div
          ref={host}
          dir="ltr"
          role="application"
          tabIndex={0}
          aria-label={t('chart.label', { pair: pair.symbol })}
          onKeyDown={(event) => {
            reader.onKey(event);
            pricePlace.onKey(event);
          }}
          aria-keyshortcuts="ArrowLeft ArrowRight Enter"
          {...pricePlace.handlers}
          className="absolute inset-0 overflow-hidden"
        />
        <div ref={panes} dir="ltr" aria-hidden className="pointer-events-none absolute inset-0 z-10 overflow-hidden" />
        <Suspense>
          {chart && (tool !== undefined || drawings.length > 0) && (
            <DrawingLayer
              key={pair.symbol}
              chart={chart}
              host={host}
              tool={tool}
              onTool={setTool}
              drawings={drawings}
              onDrawings={setDrawings}
              onAlert={alerts.add}
            />
          )}
        </Suspense>
        <Suspense>{lines.length > 0 && <LineLabels chart={chart} lines={lines} above={top} />}</Suspense>
        <div
          ref={top}
          data-legend=""
          className="pointer-events-none absolute top-1 right-20 left-2 z-10 flex flex-col items-start gap-1"
        >
          <div ref={legend} aria-hidden />
          {candles.simulatedUntil !== undefined && <SimulatedNote until={candles.simulatedUntil} />}
          {candles.recordedUntil !== undefined && <RecordedNote until={candles.recordedUntil} />}
        </div>
        <ChartState candles={candles} />
      </div>
      <p className="sr-only" aria-live="polite">
        {reader.spoken}
      </p>
      <Suspense>
        {pricePlace.place && (
          <PriceMenu
            place={pricePlace.place}
            lastPrice={lastPrice()}
            priceScale={pair.price_scale}
            onOrder={
              onOrder &&
              ((order) => {
                if (full.on) full.toggle();
                onOrder(order);
              })
            }
            onAlert={isLive ? alerts.add : undefined}
            onClose={pricePlace.close}
          />
        )}
      </Suspense>
      <Suspense>
        {table && <BarsTable history={table} {...{ pair, interval }} onClose={() => setTable(undefined)} />}
      </Suspense>
    </div>
  );
}

/** Says which of the bars show no market: the grey ones (rules §17). */
function SimulatedNote({ until }: { until: number }) {
  const { t } = useTranslation();
  return (
    <p className="bg-bg1">
      <Badge tone="warn">{t('chart.simulatedUntil', { time: minuteText(until) })}</Badge>
    </p>
  );
}

/** Says which bars show the volume of another market: the 24 h volume beside the pair counts this one alone. */
function RecordedNote({ until }: { until: number }) {
  const { t } = useTranslation();
  return (
    <p className="rounded-chip border border-line-strong bg-bg1 px-1 py-0.5 text-label text-t2">
      {t('chart.recordedUntil', { time: minuteText(until) })}
    </p>
  );
}

/** A minute in a text of either direction. */
const minuteText = (at: number): string => `\u2066${localTime(at).slice(0, 16)}\u2069`;

/** The newest bars, newest first. */
const newest = ({ bars, simulatedBefore }: BarHistory, count: number): BarHistory => ({
  bars: bars.slice(-count).reverse(),
  simulatedBefore,
});

/** The overlay while there are no bars: above the chart's canvases too, which have layers of their own. */
function ChartState({ candles: { state, retry } }: { candles: CandleSource }) {
  if (state === 'ready') return null;
  if (state === 'loading')
    return (
      <div className="pointer-events-none absolute inset-0 z-10 bg-bg1 p-3">
        <Skeleton className="h-full w-full" />
      </div>
    );
  return (
    <div className="absolute inset-0 z-10 grid place-content-center bg-bg1">
      <Failed retry={retry} />
    </div>
  );
}

/** Bars by keyboard: the arrows lead from one to the next, which is spoken. */
function useBarReader(
  { symbol, price_scale: priceScale }: Pick<QuotationItem, 'symbol' | 'price_scale'>,
  interval: IntervalId,
  history: () => BarHistory,
): {
  onKey: (event: KeyboardEvent) => void;
  spoken: string;
  /** The close of the bar that was read, in the decimals of the pair; undefined before one was. */
  close: () => string | undefined;
} {
  const { t } = useTranslation();
  const [spoken, setSpoken] = useState('');
  const of = `${symbol} ${interval}`;
  const cursor = useRef<{ of: string; at: number } | undefined>(undefined);
  const read = (): number | undefined => (cursor.current?.of === of ? cursor.current.at : undefined);
  const onKey = (event: KeyboardEvent): void => {
    const { bars: held, simulatedBefore } = history();
    const at = read();
    const next = stepBar(event.key, event.shiftKey, at, held.length);
    const bar = next === undefined ? undefined : held[next];
    if (next === undefined || !bar) return;
    event.preventDefault();
    cursor.current = { of, at: next };
    const words = t('chart.bar', { time: barTime(bar.time, interval), ...barTexts(bar, priceScale) });
    setSpoken(isSimulated(bar, simulatedBefore) ? `${t('pair.feed.simulated')}. ${words}` : words);
  };
  const close = (): string | undefined => {
    const at = read();
    return at === undefined ? undefined : history().bars[at]?.close.toFixed(priceScale);
  };
  return { onKey, spoken, close };
}
