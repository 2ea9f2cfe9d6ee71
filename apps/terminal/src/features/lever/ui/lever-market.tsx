import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { Button } from '@bourse/ui';
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
import { useBoard, useDeal, useLeverPushes } from '../api/lever.js';
import { AccountStrip } from './account-strip.js';
import { LeverKeys } from './lever-keys.js';
import { LeverPanel, type LeverTab } from './lever-panel.js';
import { LeverTicketPanel } from './lever-ticket.js';
import { StopDialog } from './stop-dialog.js';
import { useLeverMarks, type StopsAsked } from './use-lever-marks.js';
import type { SidePick } from './use-lever-ticket.js';

interface Props {
  pair: QuotationItem;
  groups: readonly QuotationGroup[];
  onChoose: (item: QuotationItem) => void;
}

/** The leverage market of one pair: what is chosen on the screen, and the panels that show it. */
export function LeverMarket({ pair, groups: all, onChoose }: Props) {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const width = useWidth();
  const panels = usePanelLayout('lever');
  const stream = usePairStream(pair);
  const { state, age, connected } = useFreshness(pair.symbol);
  const groups = useMemo(() => openGroups(all), [all]);
  const approx = useApprox(groups, pair.legal_id);
  const scales = usePairScales(all);
  const quote = { legalId: pair.legal_id, currencyId: 0 };
  const open = useBoard('open', quote);
  const pending = useBoard('pending', quote);
  const { deal } = useDeal(pair);
  const [asked, setAsked] = useState<StopsAsked | undefined>();
  const marks = useLeverMarks(
    open.board?.rows,
    pair,
    useCallback((next: StopsAsked) => setAsked(next), []),
  );
  const [interval, setInterval] = useKept<IntervalId>('chart.interval', '1min');
  const [pick, setPick] = useState<BookPick | undefined>();
  const [side, setSide] = useState<SidePick | undefined>();
  // Each width renders a panel of its own: the tab is kept here, so that a change of width does not lose it.
  const [tab, setTab] = useState<LeverTab>('open');
  const [sheet, setSheet] = useState(false);
  const [help, setHelp] = useState(false);
  useLeverPushes();
  usePriceTitle(stream, pair, t('nav.leverage'));

  const chart = (only?: ChartViewName) => (
    <ChartPanel {...{ pair, stream, age, marks, interval }} onInterval={setInterval} {...(only && { only })} />
  );
  const slots: MarketSlots = {
    bar: (
      <>
        <PairBar
          {...{ pair, groups, approx, age }}
          onChoose={onChoose}
          panels={width === 'phone' || width === 'tablet' ? undefined : panels}
          onHelp={() => setHelp(true)}
        />
        {signedIn && (
          <AccountStrip
            board={open.board}
            quote={{ id: pair.legal_id, name: pair.legal_name }}
            burst={deal?.burst_rate}
          />
        )}
      </>
    ),
    list: <MarketList groups={groups} chosen={pair.symbol} onChoose={onChoose} />,
    chart: chart(),
    phone: { chart: chart('chart'), depth: chart('depth'), info: chart('info') },
    book: (
      <OrderBook
        {...{ pair, stream, approx, age }}
        onPick={(chosen) => {
          setPick({ ...chosen });
          if (width === 'phone') setSheet(true);
        }}
      />
    ),
    tapes: <TapeTabs pair={pair} stream={stream} scales={scales} />,
    ticket: (
      <LeverTicketPanel
        {...{ pair, pick, side }}
        list={open}
        blocked={marketBlock(pair.mode, connected, state)}
        onPlaced={() => setSheet(false)}
      />
    ),
    orders: <LeverPanel {...{ pair, open, pending, tab }} onTab={setTab} />,
    actions: (['long', 'short'] as const).map((direction) => (
      <Button
        key={direction}
        kind={direction === 'long' ? 'buy' : 'sell'}
        size="main"
        className="flex-1"
        onClick={() => {
          setSide({ direction });
          setSheet(true);
        }}
      >
        {t(`lever.${direction}`)}
      </Button>
    )),
  };
  const askedRow = open.board?.rows.find(({ id }) => id === asked?.id);
  return (
    <>
      <MarketFrame
        width={width}
        panels={panels}
        slots={slots}
        sheet={{
          open: sheet,
          title: pair.symbol,
          onClose: () => setSheet(false),
        }}
      />
      <LeverKeys help={help} onHelp={setHelp} side={(direction) => setSide({ direction })} interval={setInterval} />
      {asked && askedRow && (
        <StopDialog row={askedRow} pair={pair} start={asked.start} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

/** The groups with the pairs that are open for leverage. */
const openGroups = (groups: readonly QuotationGroup[]): QuotationGroup[] =>
  groups
    .map((group) => ({ ...group, quotation: group.quotation.filter((item) => item.open_lever === 1) }))
    .filter(({ quotation }) => quotation.length > 0);
