import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { BookAnswer, OrderUpdatePush, QuotationGroup, QuotationItem } from '@bourse/contract';
import { Button, Dialog, Empty, formatAmount, formatBookPrice, grouped, Panel, Skeleton, Tabs } from '@bourse/ui';
import type { ChartLine } from '../../../market/chart/price-chart.js';
import { api } from '../../../core/api.js';
import { feed, frames } from '../../../core/feed.js';
import { useFocusSymbol } from '../../../core/focus-symbol.js';
import { pairsOf } from '../../../core/market.js';
import { usePair } from '../../../market/pair/use-pair.js';
import { toastDone } from '../../../core/toasts.js';
import { useKept } from '../../../prefs/use-kept.js';
import { useOrderPushes, useOrders } from '../api/orders.js';
import { approxValue } from '../../../market/pair/approx.js';
import { PairStream } from '../../../market/stream/pair-stream.js';
import {
  clampPanel,
  panelLimits,
  PRESETS,
  readLayout,
  type PanelLayout,
  type PanelName,
} from '../../../market/layout/panel-layout.js';
import type { Side } from '../model/ticket.js';
import { ChartPanel } from '../../../market/chart/chart-panel.js';
import type { IntervalId } from '../../../market/chart/intervals.js';
import { MarketList } from '../../../market/pair/market-list.js';
import { OrderBook, type BookPick } from '../../../market/book/order-book.js';
import { OrdersPanel } from './orders-panel.js';
import { PairBar } from '../../../market/pair/pair-bar.js';
import { HotkeyHelp } from '../../../market/hotkeys/hotkey-help.js';
import { SPOT_KEYS_HELP, spotHotkeys } from './spot-hotkeys.js';
import { OrderTicket, type TicketCommand } from './ticket.js';
import { TradeTape, WholeMarketTape } from '../../../market/book/tapes.js';
import { useFreshness } from '../../../market/stream/use-freshness.js';
import { Splitter } from '../../../market/layout/splitter.js';
import { useHotkeys } from '../../../market/hotkeys/use-hotkeys.js';
import { useWidth } from '../../../market/layout/use-width.js';

/** The spot screen: waits for the catalogue, then shows the chosen pair. */
export default function SpotScreen() {
  const { t } = useTranslation();
  const { pair, groups, failed, retry, choose } = usePair();
  if (failed)
    return <Empty action={<Button onClick={retry}>{t('common.retry')}</Button>}>{t('common.loadFailed')}</Empty>;
  if (!pair || !groups) return <Loading />;
  return <SpotMarket pair={pair} groups={groups} onChoose={choose} />;
}

/** Panels of the final size while the catalogue is on its way. */
function Loading() {
  return (
    <div className="flex min-h-[70vh] flex-1 flex-col gap-1 p-1" aria-busy="true">
      <Skeleton className="h-14 w-full" />
      <div className="grid flex-1 gap-1 lg:grid-cols-[1fr_280px_320px]">
        <Skeleton className="h-full" />
        <Skeleton className="h-full max-lg:hidden" />
        <Skeleton className="h-full max-lg:hidden" />
      </div>
    </div>
  );
}

function usePairStream(pair: QuotationItem): PairStream {
  const { symbol, legal_id, currency_id } = pair;
  const stream = useMemo(
    () =>
      new PairStream(
        { symbol, legal_id, currency_id },
        feed,
        frames,
        async () =>
          (await api.post<BookAnswer>('/api/transaction/deal', { legal_id, currency_id }, { quiet: true })).message,
      ),
    [symbol, legal_id, currency_id],
  );
  useEffect(() => {
    stream.open();
    useFocusSymbol.setState({ symbol });
    return () => {
      stream.close();
      useFocusSymbol.setState({ symbol: '' });
    };
  }, [stream, symbol]);
  return stream;
}

function SpotMarket({
  pair,
  groups,
  onChoose,
}: {
  pair: QuotationItem;
  groups: readonly QuotationGroup[];
  onChoose: (item: QuotationItem) => void;
}) {
  const { t } = useTranslation();
  const width = useWidth();
  const navigate = useNavigate();
  const stream = usePairStream(pair);
  const { state, age, connected } = useFreshness(pair.symbol);
  const [side, setSide] = useState<Side>('buy');
  const [pick, setPick] = useState<BookPick | undefined>();
  const [picking, setPicking] = useState(false);
  const [interval, setInterval] = useKept<IntervalId>('chart.interval', '1min');
  const [sheet, setSheet] = useState(false);
  const [kept, setKept] = useKept<PanelLayout>('spot.layout', PRESETS.standard);
  const layout = readLayout(kept);
  const [command, setCommand] = useState<TicketCommand | undefined>();
  const [help, setHelp] = useState(false);
  const [keysOn, setKeysOn] = useKept('keys.single', true);
  const [spoken, setSpoken] = useState('');
  const openOrders = useOrders('open').rows;

  const rate = groups.find((group) => group.id === pair.legal_id)?.fiat_convert_cny ?? '';
  const approx = useCallback(
    (price: string) => {
      const value = approxValue(price, rate);
      return value === '' ? '' : `≈ ¥${grouped(value)}`;
    },
    [rate],
  );
  const bySymbol = useMemo(() => new Map(pairsOf(groups).map((item) => [item.symbol, item])), [groups]);
  const scales = useCallback((symbol: string) => bySymbol.get(symbol), [bySymbol]);
  const choose = (item: QuotationItem): void => {
    onChoose(item);
    setPick(undefined);
  };
  const pickPrice = (chosen: BookPick): void => {
    setPick({ ...chosen });
    if (width === 'phone') setSheet(true);
  };
  const lines = useMemo<ChartLine[]>(
    () =>
      (openOrders ?? [])
        .filter(
          (order) =>
            order.symbol === pair.symbol && (order.order_type === 'limit' || order.order_type === 'stop_limit'),
        )
        .map((order) => ({
          price: order.target_price,
          tone: order.type === 1 ? ('up' as const) : ('down' as const),
          label: `${t(order.type === 1 ? 'ticket.buy' : 'ticket.sell')} ${formatAmount(order.trade_amount, pair.number_scale)}`,
        })),
    [openOrders, pair.symbol, pair.number_scale, t],
  );
  useOrderPushes(
    useCallback(
      ({ order, fill }: OrderUpdatePush) => {
        // One notice an order: several fills of it add up in the same one.
        if (fill)
          toastDone(
            t(fill.type === 1 ? 'fill.bought' : 'fill.sold', {
              amount: formatAmount(order.filled_amount, scales(fill.symbol)?.number_scale ?? 8),
              coin: order.currency_name,
              price: formatBookPrice(order.trade_price, scales(fill.symbol)?.price_scale ?? 8),
            }),
            `fill ${order.id}`,
          );
        else if (order.cancelled === 1 && order.cancel_reason !== 'user' && order.cancel_reason !== '')
          toastDone(t(`cancelReason.${order.cancel_reason}`, { pair: order.symbol }));
      },
      [t, scales],
    ),
  );
  useTitle(stream, pair);
  useHotkeys(
    keysOn,
    spotHotkeys({
      search: () => setPicking(true),
      side: setSide,
      interval: setInterval,
      ticket: (action) => setCommand({ ...action }),
      help: () => setHelp(true),
      go: (address) => void navigate(address),
      speakBook: () => {
        const { bestBid, bestAsk } = stream.snapshot();
        setSpoken(
          t('book.spoken', {
            bid: formatBookPrice(bestBid, pair.price_scale),
            ask: formatBookPrice(bestAsk, pair.price_scale),
          }),
        );
      },
    }),
  );

  const blocked =
    pair.mode === 'halted'
      ? 'halted'
      : pair.mode === 'cancel_only'
        ? 'cancelOnly'
        : !connected
          ? 'reconnecting'
          : state === 'dead'
            ? 'stale'
            : undefined;
  const shared = { pair, stream, age };
  const bar = (
    <PairBar
      pair={pair}
      groups={groups}
      approx={approx}
      onChoose={choose}
      open={picking}
      onOpen={setPicking}
      age={age}
      onLayout={width === 'phone' || width === 'tablet' ? undefined : (preset) => setKept(PRESETS[preset])}
      onHelp={() => setHelp(true)}
    />
  );
  const splitter = (name: PanelName, axis: 'x' | 'y') => (
    <Splitter
      axis={axis}
      label={t(`layout.resize.${name}`)}
      value={layout[name]}
      {...panelLimits(name)}
      onChange={(size) => setKept({ ...layout, [name]: clampPanel(name, size) })}
    />
  );
  const chart = <ChartPanel {...shared} lines={lines} interval={interval} onInterval={setInterval} />;
  const book = <OrderBook {...shared} approx={approx} onPick={pickPrice} />;
  const ticket = (
    <OrderTicket
      pair={pair}
      stream={stream}
      side={side}
      onSide={setSide}
      pick={pick}
      command={command}
      blocked={blocked}
      onPlaced={() => setSheet(false)}
    />
  );
  const orders = <OrdersPanel pair={pair} scales={scales} />;
  const spokenRegion = (
    <>
      <p className="sr-only" aria-live="polite">
        {spoken}
      </p>
      {help && <HotkeyHelp rows={SPOT_KEYS_HELP} onClose={() => setHelp(false)} on={keysOn} onSwitch={setKeysOn} />}
    </>
  );

  if (width === 'phone')
    return (
      <div className="flex flex-1 flex-col">
        {bar}
        <PhoneViews
          views={{
            chart: (
              <div className="flex h-[52dvh] min-h-80 flex-col">
                <ChartPanel {...shared} lines={lines} interval={interval} onInterval={setInterval} only="chart" />
              </div>
            ),
            book,
            trades: <TapeTabs pair={pair} stream={stream} scales={scales} />,
            depth: (
              <div className="flex h-72 flex-col">
                <ChartPanel {...shared} lines={lines} interval={interval} onInterval={setInterval} only="depth" />
              </div>
            ),
            info: <ChartPanel {...shared} lines={lines} interval={interval} onInterval={setInterval} only="info" />,
          }}
        />
        <Panel className="mt-1 flex min-h-64 flex-col">{orders}</Panel>
        <div className="sticky bottom-13 z-20 flex gap-2 border-t border-line bg-bg1 p-2">
          <Button
            kind="buy"
            size="main"
            className="flex-1"
            onClick={() => {
              setSide('buy');
              setSheet(true);
            }}
          >
            {t('ticket.buy')}
          </Button>
          <Button
            kind="sell"
            size="main"
            className="flex-1"
            onClick={() => {
              setSide('sell');
              setSheet(true);
            }}
          >
            {t('ticket.sell')}
          </Button>
        </div>
        <Dialog
          open={sheet}
          onClose={() => {
            setSheet(false);
            setPick(undefined);
          }}
          title={pair.symbol}
          closeLabel={t('common.close')}
          shape="sheet"
        >
          {ticket}
        </Dialog>
        {spokenRegion}
      </div>
    );
  if (width === 'tablet')
    return (
      <div className="flex flex-1 flex-col gap-1">
        {bar}
        <div className="grid flex-1 grid-cols-[minmax(0,1fr)_300px] gap-1 p-1 pt-0">
          <div className="flex min-w-0 flex-col gap-1">
            <Panel className="flex h-[420px] flex-col overflow-hidden">{chart}</Panel>
            <Panel className="flex h-[420px] flex-col overflow-hidden">{orders}</Panel>
            <Panel>
              <TapeTabs pair={pair} stream={stream} scales={scales} />
            </Panel>
          </div>
          <div className="flex min-w-0 flex-col gap-1">
            <Panel>{ticket}</Panel>
            <Panel>{book}</Panel>
          </div>
        </div>
        {spokenRegion}
      </div>
    );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {bar}
      <div className="flex min-h-0 flex-1 gap-0.5 p-1">
        {width === 'huge' && (
          <Panel className="me-0.5 flex min-h-0 w-[280px] shrink-0 flex-col overflow-hidden">
            <MarketList groups={groups} chosen={pair.symbol} onChoose={choose} />
          </Panel>
        )}
        <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-0.5">
          <Panel className="flex min-h-0 flex-1 flex-col overflow-hidden">{chart}</Panel>
          {splitter('orders', 'y')}
          <div className="flex max-h-[60%] shrink-0 flex-col" style={{ height: layout.orders }}>
            <Panel className="flex min-h-0 flex-1 flex-col overflow-hidden">{orders}</Panel>
          </div>
        </div>
        {splitter('book', 'x')}
        <div className="flex min-h-0 shrink-0 flex-col gap-1" style={{ width: layout.book }}>
          {width === 'small' ? (
            <Panel className="min-h-0 flex-1 overflow-auto">
              <BookOrTape book={book} tape={<TapeTabs pair={pair} stream={stream} scales={scales} />} />
            </Panel>
          ) : (
            <>
              <Panel className="shrink-0">{book}</Panel>
              <Panel className="min-h-0 flex-1 overflow-auto">
                <TapeTabs pair={pair} stream={stream} scales={scales} />
              </Panel>
            </>
          )}
        </div>
        {splitter('ticket', 'x')}
        <div className="flex min-h-0 shrink-0 flex-col" style={{ width: layout.ticket }}>
          <Panel className="min-h-0 flex-1 overflow-auto">{ticket}</Panel>
        </div>
      </div>
      {spokenRegion}
    </div>
  );
}

function TapeTabs({
  pair,
  stream,
  scales,
}: {
  pair: QuotationItem;
  stream: PairStream;
  scales: (symbol: string) => QuotationItem | undefined;
}) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<'pair' | 'all'>('pair');
  return (
    <Tabs
      label={t('tape.title')}
      value={tab}
      onChange={setTab}
      tabs={[
        { id: 'pair', label: t('tape.title') },
        { id: 'all', label: t('tape.all') },
      ]}
    >
      {tab === 'pair' ? <TradeTape pair={pair} stream={stream} /> : <WholeMarketTape scales={scales} />}
    </Tabs>
  );
}

function BookOrTape({ book, tape }: { book: React.ReactNode; tape: React.ReactNode }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<'book' | 'tape'>('book');
  return (
    <Tabs
      label={t('book.title')}
      value={tab}
      onChange={setTab}
      tabs={[
        { id: 'book', label: t('book.title') },
        { id: 'tape', label: t('tape.title') },
      ]}
    >
      {tab === 'book' ? book : tape}
    </Tabs>
  );
}

type PhoneView = 'chart' | 'book' | 'trades' | 'depth' | 'info';
function PhoneViews({ views }: { views: Record<PhoneView, React.ReactNode> }) {
  const { t } = useTranslation();
  const [view, setView] = useState<PhoneView>('chart');
  return (
    <Tabs<PhoneView>
      label={t('chart.views')}
      value={view}
      onChange={setView}
      panelClassName="bg-bg1"
      tabs={[
        { id: 'chart', label: t('chart.chart') },
        { id: 'book', label: t('book.title') },
        { id: 'trades', label: t('tape.title') },
        { id: 'depth', label: t('chart.depth') },
        { id: 'info', label: t('chart.info') },
      ]}
    >
      {views[view]}
    </Tabs>
  );
}

/** The window title carries the price, as a slow reader. */
function useTitle(stream: PairStream, pair: QuotationItem): void {
  const { t } = useTranslation();
  const { lastPrice } = useSyncExternalStore(stream.subscribe, stream.snapshot);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (lastPrice === '') return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      document.title = `${formatBookPrice(stream.snapshot().lastPrice, pair.price_scale)} ${pair.symbol} · Bourse`;
    }, 1_000);
  }, [lastPrice, stream, pair.symbol, pair.price_scale]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      document.title = `${t('title.spot')} · Bourse`;
    },
    [stream, t],
  );
}
