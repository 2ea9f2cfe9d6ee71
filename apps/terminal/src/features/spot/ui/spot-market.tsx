import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { Skeleton } from '@bourse/ui';
import { lazyScreen } from '@bourse/web';
import { loadWithTexts } from '../../../core/i18n.js';
import { useSignedIn } from '../../../core/session.js';
import type { BookPick } from '../../../market/book/ladder-rows.js';
import { OrderBook } from '../../../market/book/order-book.js';
import { TapeTabs } from '../../../market/book/tape-tabs.js';
import { ChartPanel, type ChartViewName } from '../../../market/chart/chart-panel.js';
import type { IntervalId } from '../../../market/chart/intervals.js';
import { MarketFrame, type MarketSlots } from '../../../market/layout/market-frame.js';
import { usePanelLayout } from '../../../market/layout/use-panel-layout.js';
import { useWidth } from '../../../market/layout/use-width.js';
import { MarketList } from '../../../market/pair/lazy-market-list.js';
import { PairBar } from '../../../market/pair/pair-bar.js';
import { useApprox, usePairScales } from '../../../market/pair/scales.js';
import { marketBlock } from '../../../market/stream/market-block.js';
import { useFreshness } from '../../../market/stream/use-freshness.js';
import { usePairStream } from '../../../market/stream/use-pair-stream.js';
import { usePriceTitle } from '../../../market/stream/use-price-title.js';
import { useKept } from '../../../prefs/use-kept.js';
import type { Side } from '../model/ticket.js';
import { ArmedOrders } from './armed-orders.js';
import { GuestOrders } from './guest-orders.js';
import { SideButtons } from './side-buttons.js';
import { SpotKeys } from './spot-keys.js';
import { useOwnAccount } from './ticket-account.js';
import { OrderTicket, type TicketCommand } from './ticket.js';
import { useTicketPick } from './use-ticket-pick.js';
import type { ShownOrders } from './order-lines.js';
import type { OrdersTab } from './orders-panel.js';

const OrdersPanel = lazyScreen(async () => ({
  default: (await loadWithTexts(import('./orders-panel.js'), ['desk'])).OrdersPanel,
}));
const OrderLines = lazyScreen(async () => ({
  default: (await loadWithTexts(import('./order-lines.js'), ['desk'])).OrderLines,
}));
const NO_ORDERS: ShownOrders = { marks: { lines: [], markers: [] }, own: [] };

interface Props {
  pair: QuotationItem;
  groups: readonly QuotationGroup[];
  onChoose: (item: QuotationItem) => void;
}

/** The spot market of one pair: what is chosen on the screen, and the panels that show it. */
export function SpotMarket({ pair, groups, onChoose }: Props) {
  const { t } = useTranslation();
  const width = useWidth();
  const panels = usePanelLayout('spot');
  const stream = usePairStream(pair);
  const { state, age, connected } = useFreshness(pair.symbol);
  const approx = useApprox(groups, pair.legal_id);
  const scales = usePairScales(groups);
  const signedIn = useSignedIn();
  const account = useOwnAccount(pair);
  const [orders, setOrders] = useState<ShownOrders>();
  const { marks, own } = orders ?? NO_ORDERS;
  const [interval, setInterval] = useKept<IntervalId>('chart.interval', '1min');
  const [side, setSide] = useState<Side>('buy');
  const [command, setCommand] = useState<{ readonly symbol: string; readonly given: TicketCommand } | undefined>();
  // Each width renders a panel of its own: the tab is kept here, so that a change of width does not lose it.
  const [tab, setTab] = useState<OrdersTab>('open');
  const [sheet, setSheet] = useState(false);
  const { pick, takePick, takeOrder } = useTicketPick(setSide, () => {
    if (width === 'phone') setSheet(true);
  });
  const [armedOrders] = useState(() => new ArmedOrders());
  /** A price of the book fills the ticket; with Shift it sends the order at once where keys are armed. */
  const pickPrice = (chosen: BookPick, shift: boolean): void => {
    if (!shift || !armedOrders.send(side, chosen.price)) takePick(chosen);
  };
  const [help, setHelp] = useState(false);
  usePriceTitle(stream, pair, t('title.spot'));

  const openTicket = (chosen: Side): void => {
    setSide(chosen);
    setSheet(true);
  };
  const chart = (only?: ChartViewName) => (
    <ChartPanel
      {...{ pair, stream, age, marks, interval }}
      onInterval={setInterval}
      onOrder={takeOrder}
      {...(only && { only })}
    />
  );
  const slots: MarketSlots = {
    bar: (
      <PairBar
        {...{ pair, groups, approx, age }}
        onChoose={onChoose}
        panels={width === 'phone' || width === 'tablet' ? undefined : panels}
        onHelp={() => setHelp(true)}
        practice={`/practice?legalId=${pair.legal_id}&currencyId=${pair.currency_id}`}
      />
    ),
    list: <MarketList groups={groups} chosen={pair.symbol} onChoose={onChoose} />,
    chart: chart(),
    phone: { chart: chart('chart'), depth: chart('depth'), info: chart('info') },
    book: <OrderBook {...{ pair, stream, approx, age, own }} onPick={pickPrice} />,
    tapes: <TapeTabs pair={pair} stream={stream} scales={scales} />,
    ticket: (
      <OrderTicket
        {...{ pair, stream, side, pick, account, armedOrders }}
        command={command?.symbol === pair.symbol ? command.given : undefined}
        onSide={setSide}
        blocked={marketBlock(pair.mode, connected, state)}
        onPlaced={() => setSheet(false)}
      />
    ),
    orders: signedIn ? (
      <Suspense fallback={<Skeleton className="m-4 h-24" />}>
        <OrdersPanel {...{ pair, scales, tab }} onTab={setTab} />
      </Suspense>
    ) : (
      <GuestOrders />
    ),
    actions: <SideButtons onChoose={openTicket} />,
  };
  return (
    <>
      <MarketFrame
        width={width}
        panels={panels}
        slots={slots}
        sheet={{ open: sheet, title: pair.symbol, onClose: () => setSheet(false) }}
      />
      <Suspense>{signedIn && <OrderLines key={pair.symbol} {...{ pair, scales }} onLines={setOrders} />}</Suspense>
      <SpotKeys
        {...{ pair, stream, help }}
        onHelp={setHelp}
        side={setSide}
        interval={setInterval}
        ticket={(action) => setCommand({ symbol: pair.symbol, given: { ...action } })}
        send={(chosen) => {
          setSide(chosen);
          armedOrders.send(chosen);
        }}
      />
    </>
  );
}
