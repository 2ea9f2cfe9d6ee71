import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { ApiError } from '@bourse/api-client';
import type { QuotationGroup, QuotationItem, SpotOrder } from '@bourse/contract';
import { showToast, toastError } from '@bourse/web';
import { acceptedNews, orderNews } from '../../../../core/notifications/news.js';
import { OrderBook } from '../../../../market/book/order-book.js';
import { TapeTabs } from '../../../../market/book/tape-tabs.js';
import { ChartPanel, type ChartViewName } from '../../../../market/chart/chart-panel.js';
import type { IntervalId } from '../../../../market/chart/intervals.js';
import { MarketFrame, type MarketSlots } from '../../../../market/layout/market-frame.js';
import { usePanelLayout } from '../../../../market/layout/use-panel-layout.js';
import { useWidth } from '../../../../market/layout/use-width.js';
import { useApprox, usePairScales } from '../../../../market/pair/scales.js';
import { MarketSourceProvider, type MarketSource } from '../../../../market/stream/market-source.js';
import { usePairStream } from '../../../../market/stream/use-pair-stream.js';
import { useKept } from '../../../../prefs/use-kept.js';
import { readBars } from '../../api/practice-day.js';
import { commandAt, isWaitingStop, linePrice, restingPrices } from '../../model/orders.js';
import { PracticeRefusal } from '../../model/practice/practice-order.js';
import type { PracticeSession, PracticeView } from '../../model/practice/practice-session.js';
import type { Side } from '../../model/ticket.js';
import { SideButtons } from '../side-buttons.js';
import type { TicketAccount } from '../ticket-account.js';
import { OrderTicket } from '../ticket.js';
import { useTicketPick } from '../use-ticket-pick.js';
import { useOrderMarks } from '../use-chart-marks.js';
import { PracticeBar } from './practice-bar.js';
import { PracticeOrders, type PracticeTab } from './practice-orders.js';

interface Props {
  session: PracticeSession;
  view: PracticeView;
  pair: QuotationItem;
  groups: readonly QuotationGroup[];
}
/** Bars before the day that a chart shows. */
const HISTORY_DAYS = 1_500;

/** The desk of a practice: the panels of the spot market on a recorded day. */
export function PracticeDesk(props: Props) {
  const { session } = props;
  const { feed } = session;
  const source = useMemo<MarketSource>(
    () => ({
      feed,
      isLive: false,
      readBook: () => Promise.resolve(feed.book()),
      readHistory: async (symbol, period, signal) => {
        const { start } = session.practice.day;
        const from = start - HISTORY_DAYS * 86_400_000;
        const { bars, simulatedBefore } = await readBars(symbol, period, from, start - 1, signal);
        return { bars: session.barsAt(period, bars), simulatedBefore };
      },
    }),
    [feed, session],
  );
  return (
    <MarketSourceProvider value={source}>
      <Desk {...props} />
    </MarketSourceProvider>
  );
}

/** The pair by the terms of the practice: its rules then, and the price at which it is shown first. */
function pairOf(pair: QuotationItem, session: PracticeSession): QuotationItem {
  const { minTotal, makerFee, takerFee, band } = session.terms;
  return {
    ...pair,
    now_price: session.snapshot().last,
    mode: 'normal',
    min_total: minTotal,
    maker_fee: makerFee,
    taker_fee: takerFee,
    market_band: band,
  };
}

function Desk({ session, view, pair: listed, groups }: Props) {
  const { t } = useTranslation();
  const { feed } = session;
  // The price is that of the last jump: the ticket suggests it.
  const pair = useMemo(() => pairOf(listed, session), [listed, session, feed]);
  const width = useWidth();
  const panels = usePanelLayout('spot');
  const stream = usePairStream(pair);
  const approx = useApprox(groups, pair.legal_id);
  const scales = usePairScales(groups);
  const [interval, setInterval] = useKept<IntervalId>('chart.interval', '1min');
  const [side, setSide] = useState<Side>('buy');
  const [sheet, setSheet] = useState(false);
  const { pick, takePick, takeOrder } = useTicketPick(setSide, () => {
    if (width === 'phone') setSheet(true);
  });
  // Each width renders a panel of its own: the tab is kept here, so that a change of width does not lose it.
  const [tab, setTab] = useState<PracticeTab>('open');
  usePracticeToasts(view, pair);
  const cancel = useCallback((order: SpotOrder) => session.cancel(order.id), [session]);
  const move = useCallback((order: SpotOrder, price: string) => moveOrder(session, order, price, t), [session, t]);
  const marks = useOrderMarks(pair, view, cancel, move);
  const own = useMemo(() => restingPrices(view.open), [view.open]);
  const account: TicketAccount = {
    isGuest: false,
    hasMark: false,
    available: (which) => (which === 'buy' ? view.quote : view.base),
    place: async (command) => {
      try {
        const order = session.place({ ...command, type: command.type });
        notifyOrder(order, pair, t, true);
      } catch (error) {
        throw refusalOf(error, t);
      }
    },
  };
  const chart = (only?: ChartViewName) => (
    <ChartPanel
      {...{ pair, stream, marks, interval }}
      age={undefined}
      onInterval={setInterval}
      onOrder={takeOrder}
      {...(only && { only })}
    />
  );
  const slots: MarketSlots = {
    bar: <PracticeBar {...{ session, view, pair }} />,
    list: null,
    chart: chart(),
    phone: { chart: chart('chart'), depth: chart('depth'), info: chart('info') },
    book: <OrderBook {...{ pair, stream, approx, own }} age={undefined} onPick={takePick} />,
    tapes: <TapeTabs pair={pair} stream={stream} scales={scales} />,
    ticket: (
      <OrderTicket
        key={session.jumps}
        {...{ pair, stream, side, pick, account }}
        note={<p className="px-3 pt-2 text-table text-accent">{t('practice.ticketNote')}</p>}
        onSide={setSide}
        blocked={undefined}
        onPlaced={() => setSheet(false)}
      />
    ),
    orders: <PracticeOrders {...{ session, view, pair, tab }} onTab={setTab} />,
    actions: (
      <SideButtons
        onChoose={(chosen) => {
          setSide(chosen);
          setSheet(true);
        }}
      />
    ),
  };
  return (
    <MarketFrame
      width={width === 'huge' ? 'wide' : width}
      panels={panels}
      slots={slots}
      sheet={{ open: sheet, title: `${t('practice.label')}: ${pair.symbol}`, onClose: () => setSheet(false) }}
    />
  );
}

/** A refusal of the practice in the words of the exchange's. */
function refusalOf(error: unknown, t: TFunction): Error {
  if (!(error instanceof PracticeRefusal)) throw error;
  const { key, params } = error;
  return new ApiError(400, { type: 'error', key, params, message: t(key, params), request_id: '' });
}

/** A limit is moved in place; the trigger of a waiting stop by placing what is left of it again. */
function moveOrder(session: PracticeSession, order: SpotOrder, price: string, t: TFunction): void {
  if (price === linePrice(order)) return;
  try {
    if (!isWaitingStop(order)) return session.move(order.id, price);
    session.replace(order.id, commandAt(order, price));
  } catch (error) {
    if (!(error instanceof PracticeRefusal)) throw error;
    toastError(`${t('practice.label')}: ${t(error.key, error.params)}`);
  }
}

/** A toast about an order, named as practice. */
function notifyOrder(order: SpotOrder, pair: QuotationItem, t: TFunction, isNew: boolean): void {
  const news = orderNews(order, true, pair) ?? (isNew ? acceptedNews(order, pair) : undefined);
  if (!news) return;
  const { key, params, detail, tone } = news;
  showToast({
    id: `practice ${order.id}`,
    tone: tone ?? 'info',
    text: `${t('practice.label')}: ${t(key, { ...params })}`,
    ...(detail && { detail: t(detail.key, { ...detail.params }) }),
    leavesAfterMs: TOAST_MS,
  });
}
const TOAST_MS = 6_000;

/** Fills that come while the day runs have a toast each order. */
function usePracticeToasts({ fills, open, done }: PracticeView, pair: QuotationItem): void {
  const { t } = useTranslation();
  const told = useRef(fills.length);
  useEffect(() => {
    const news = fills.slice(0, Math.max(0, fills.length - told.current));
    told.current = fills.length;
    for (const id of new Set(news.map(({ order_id }) => order_id))) {
      const order = [...open, ...done].find((one) => one.id === id);
      if (order) notifyOrder(order, pair, t, false);
    }
  }, [fills, open, done, pair, t]);
}
