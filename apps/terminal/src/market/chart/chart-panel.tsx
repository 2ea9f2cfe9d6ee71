import '../live.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import { LOCALES } from '@bourse/i18n';
import type { Bar, Coin, QuotationItem } from '@bourse/contract';
import { Candles, decodePublic } from '@bourse/realtime';
import { Button, cx, Dialog, fixed, grouped, localTime, Num, Skeleton, Table, Tabs } from '@bourse/ui';
import { INTERVALS, SECONDS, type IntervalId } from './intervals.js';
import { barTexts, stepBar } from './keyboard.js';
import type { ChartLine, ChartLook, PriceChart } from './price-chart.js';
import { api } from '../../core/api.js';
import { feed } from '../../core/feed.js';
import { current } from '../../core/i18n.js';
import { useAppearance } from '../../prefs/appearance.js';
import { useKept } from '../../prefs/use-kept.js';
import type { PairStream } from '../stream/pair-stream.js';

const AVERAGES = [10, 15, 20];
/** Bars asked for: what the chart holds at most. */
const HISTORY = 1_500;
type View = 'chart' | 'depth' | 'info';
interface Props {
  pair: QuotationItem;
  stream: PairStream;
  lines: readonly ChartLine[];
  interval: IntervalId;
  onInterval: (interval: IntervalId) => void;
  only?: View;
  age: number | undefined;
}

/** Chart, depth and coin information of the pair. */
export function ChartPanel({ pair, stream, lines, interval, onInterval, only, age }: Props) {
  const { t } = useTranslation();
  const [view, setView] = useState<View>('chart');
  const [averages, setAverages] = useKept<readonly number[]>('chart.averages', AVERAGES);
  const shown = only ?? view;
  const body =
    shown === 'chart' ? (
      <CandleView
        pair={pair}
        interval={interval}
        onInterval={onInterval}
        lines={lines}
        averages={averages}
        onAverages={setAverages}
        age={age}
      />
    ) : shown === 'depth' ? (
      <DepthView pair={pair} stream={stream} age={age} />
    ) : (
      <CoinView id={pair.currency_id} />
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

function CandleView({
  pair,
  interval,
  onInterval,
  lines,
  averages,
  onAverages,
  age,
}: Omit<Props, 'stream' | 'only'> & {
  averages: readonly number[];
  onAverages: (averages: readonly number[]) => void;
}) {
  const { t, i18n } = useTranslation();
  const { theme, palette } = useAppearance();
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<PriceChart | undefined>(undefined);
  const candles = useRef<Candles | undefined>(undefined);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [spoken, setSpoken] = useState('');
  const [table, setTable] = useState<readonly Bar[] | undefined>();
  const [turn, setTurn] = useState(0);
  const cursor = useRef<number | undefined>(undefined);
  const period = INTERVALS.find(({ id }) => id === interval)?.period ?? '1min';
  const kind = interval === 'line' ? 'line' : 'candles';
  const look = useRef<ChartLook>({ kind, averages, priceScale: pair.price_scale, locale: 'en' });
  look.current = { kind, averages, priceScale: pair.price_scale, locale: LOCALES[current()].intlTag };

  const linesNow = useRef(lines);
  linesNow.current = lines;
  useEffect(() => {
    let gone = false;
    void import('./price-chart.js').then(({ PriceChart: Chart }) => {
      if (gone || !host.current) return;
      chart.current = new Chart(host.current, look.current);
      if (candles.current) chart.current.setBars(candles.current.bars);
      chart.current.setLines(linesNow.current);
    });
    return () => {
      gone = true;
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, []);
  useEffect(() => {
    chart.current?.setLook(look.current);
    chart.current?.setLines(linesNow.current);
  }, [kind, averages, pair.price_scale, theme, palette, i18n.language]);
  useEffect(() => {
    chart.current?.setLines(lines);
  }, [lines]);

  useEffect(() => {
    const own = new Candles(pair.symbol, period);
    candles.current = own;
    cursor.current = undefined;
    setState('loading');
    chart.current?.setBars([]);
    const abort = new AbortController();
    let reading = false;
    let first = true;
    const read = async (): Promise<void> => {
      if (reading) return;
      reading = true;
      const to = Math.floor(Date.now() / 1000) + SECONDS[period];
      try {
        const answer = await api.get<never, { data: Bar[] }>(
          '/api/currency/new_timeshar',
          { symbol: pair.symbol, period, from: Math.max(0, to - SECONDS[period] * HISTORY), to },
          { quiet: true, signal: abort.signal },
        );
        own.replace(answer.data);
        chart.current?.setBars(own.bars, first);
        chart.current?.setLines(linesNow.current);
        first = false;
        setState('ready');
      } catch (error) {
        if (abort.signal.aborted) return;
        console.debug('history not read', error);
        setState((state) => (state === 'ready' ? state : 'failed'));
      } finally {
        reading = false;
      }
    };
    const subscription = feed.subscribe(
      { channel: 'kline', symbol: pair.symbol, interval: period },
      {
        event: (push) => {
          const change = own.apply(push);
          if (change.kind === 'update') chart.current?.update(own.bars);
          if (change.kind === 'reload' && own.bars.length > 0) void read();
        },
        snapshot: (snapshot) => {
          const push = decodePublic('kline', snapshot);
          if (push && own.apply(push).kind === 'update') chart.current?.update(own.bars);
        },
        // After a lost connection bars may be missing.
        reset: () => {
          if (!first) void read();
        },
      },
    );
    void read();
    return () => {
      abort.abort();
      subscription.close();
    };
  }, [pair.symbol, period, turn]);

  const say = (bar: Bar): void => {
    const { open, high, low, close, change } = barTexts(bar, pair.price_scale);
    setSpoken(t('chart.bar', { time: localTime(bar.time).slice(0, 16), open, high, low, close, change }));
  };
  const onKey = (event: KeyboardEvent): void => {
    const bars = candles.current?.bars ?? [];
    const next = stepBar(event.key, event.shiftKey, cursor.current, bars.length);
    const bar = next === undefined ? undefined : bars[next];
    if (!bar) return;
    event.preventDefault();
    cursor.current = next;
    say(bar);
  };
  return (
    <>
      <div className="flex h-9 shrink-0 items-center gap-3 overflow-x-auto px-3">
        <div role="radiogroup" aria-label={t('chart.interval')} className="flex gap-0.5">
          {INTERVALS.map(({ id }) => (
            <button
              key={id}
              type="button"
              role="radio"
              aria-checked={id === interval}
              onClick={() => onInterval(id)}
              className={cx(
                'h-7 rounded-chip px-2 text-table whitespace-nowrap',
                id === interval ? 'bg-bg3 text-t1' : 'text-t2 hover:text-t1',
              )}
            >
              {t(`interval.${id}`)}
            </button>
          ))}
        </div>
        <div role="group" aria-label={t('chart.averages')} className="flex gap-0.5">
          {AVERAGES.map((length) => {
            const on = averages.includes(length);
            return (
              <button
                key={length}
                type="button"
                aria-pressed={on}
                onClick={() =>
                  onAverages(
                    on ? averages.filter((other) => other !== length) : [...averages, length].sort((a, b) => a - b),
                  )
                }
                className={cx(
                  'h-7 rounded-chip px-2 text-table whitespace-nowrap',
                  on ? 'bg-bg3 text-t1' : 'text-t2 hover:text-t1',
                )}
              >
                MA{length}
              </button>
            );
          })}
        </div>
        <button
          type="button"
          onClick={() => setTable([...(candles.current?.bars ?? [])].slice(-100).reverse())}
          className="ms-auto h-7 rounded-chip px-2 text-table whitespace-nowrap text-t2 hover:text-t1"
        >
          {t('chart.asTable')}
        </button>
      </div>
      <div className={cx('relative min-h-0 flex-1 overflow-hidden', age !== undefined && 'stale')}>
        <div
          ref={host}
          dir="ltr"
          role="application"
          tabIndex={0}
          aria-label={t('chart.label', { pair: pair.symbol })}
          onKeyDown={onKey}
          className="absolute inset-0 overflow-hidden"
        />
        {state === 'loading' && (
          <div className="pointer-events-none absolute inset-0 bg-bg1 p-3">
            <Skeleton className="h-full w-full" />
          </div>
        )}
        {state === 'failed' && (
          <div className="absolute inset-0 grid place-content-center gap-3 bg-bg1 text-center text-t2">
            <p>{t('common.loadFailed')}</p>
            <Button onClick={() => setTurn((was) => was + 1)}>{t('common.retry')}</Button>
          </div>
        )}
      </div>
      <p className="sr-only" aria-live="polite">
        {spoken}
      </p>
      {table && (
        <Dialog
          open
          onClose={() => setTable(undefined)}
          title={t('chart.tableTitle', { pair: pair.symbol })}
          closeLabel={t('common.close')}
        >
          <Table
            label={t('chart.tableTitle', { pair: pair.symbol })}
            rows={table}
            rowKey={(bar) => String(bar.time)}
            empty={t('common.loadFailed')}
            className="max-h-[60vh]"
            columns={[
              { id: 'time', header: t('tape.time'), cell: (bar) => <Num>{localTime(bar.time).slice(0, 16)}</Num> },
              ...(['open', 'high', 'low', 'close', 'change'] as const).map((id) => ({
                id,
                header: t(`chart.${id}`),
                end: true,
                cell: (bar: Bar) => <Num>{barTexts(bar, pair.price_scale)[id]}</Num>,
              })),
            ]}
          />
        </Dialog>
      )}
    </>
  );
}

function DepthView({ pair, stream, age }: { pair: QuotationItem; stream: PairStream; age: number | undefined }) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { theme, palette } = useAppearance();
  useEffect(() => {
    let draw: (typeof import('./depth-chart.js'))['drawDepth'] | undefined;
    const view = {
      paint: () => {
        if (canvas.current)
          draw?.(canvas.current, stream.book.bids, stream.book.asks, (price) =>
            grouped(price.toFixed(pair.price_scale)),
          );
      },
    };
    void import('./depth-chart.js').then(({ drawDepth }) => {
      draw = drawDepth;
      view.paint();
    });
    const stop = stream.showBook(view);
    const resized = new ResizeObserver(() => view.paint());
    if (canvas.current) resized.observe(canvas.current);
    return () => {
      stop();
      resized.disconnect();
    };
  }, [stream, pair.price_scale, theme, palette]);
  return (
    <div className={cx('relative min-h-0 flex-1 overflow-hidden', age !== undefined && 'stale')}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={t('chart.depthLabel', { pair: pair.symbol })}
        className="absolute inset-0 size-full"
      />
    </div>
  );
}

function CoinView({ id }: { id: number }) {
  const { t } = useTranslation();
  const {
    data: coin,
    isError,
    refetch,
  } = useQuery({
    queryKey: keys.coin(id),
    staleTime: 600_000,
    queryFn: async () => (await api.get<Coin>('/api/currency/detail', { id }, { quiet: true })).message,
  });
  if (isError)
    return (
      <div className="grid flex-1 place-content-center gap-3 text-center text-t2">
        <p>{t('common.loadFailed')}</p>
        <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
      </div>
    );
  const facts: [string, string][] = coin
    ? [
        ['coin.publishDate', coin.publish_date],
        ['coin.totalSupply', coin.total_supply === '' ? '' : grouped(fixed(coin.total_supply, 0))],
        ['coin.circulation', coin.circulation === '' ? '' : grouped(fixed(coin.circulation, 0))],
      ]
    : [];
  const links: [string, string][] = coin
    ? [
        ['coin.website', coin.website],
        ['coin.explorer', coin.explorer],
        ['coin.whitePaper', coin.white_paper],
      ]
    : [];
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4">
      {!coin ? (
        <Skeleton className="h-40 w-full" />
      ) : (
        <>
          <h2 className="text-title font-semibold">
            {coin.full_name} <Num className="text-t2">{coin.name}</Num>
          </h2>
          {coin.description !== '' && <p className="mt-2 max-w-prose text-t2">{coin.description}</p>}
          <dl className="mt-4 grid max-w-lg grid-cols-[auto_1fr] gap-x-6 gap-y-2">
            {facts
              .filter(([, value]) => value !== '')
              .map(([key, value]) => (
                <div key={key} className="contents">
                  <dt className="text-t2">{t(key)}</dt>
                  <dd>
                    <Num>{value}</Num>
                  </dd>
                </div>
              ))}
            {links
              .filter(([, value]) => /^https:\/\//.test(value))
              .map(([key, value]) => (
                <div key={key} className="contents">
                  <dt className="text-t2">{t(key)}</dt>
                  <dd>
                    <a className="text-accent underline" href={value} target="_blank" rel="noreferrer noopener">
                      <bdi dir="ltr">{value}</bdi>
                    </a>
                  </dd>
                </div>
              ))}
          </dl>
        </>
      )}
    </div>
  );
}
