import { Activity, Fragment, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeskColumn } from '@bourse/contract';
import { Panel, Skeleton, Tabs } from '@bourse/ui';
import { lazyScreen } from '@bourse/web';
import { PanelSplitter } from './panel-splitter.js';
import type { Panels } from './use-panel-layout.js';
import type { Width } from './use-width.js';

const TicketSheet = lazyScreen(async () => ({ default: (await import('./ticket-sheet.js')).TicketSheet }));

/** The panels of a trading screen. The frame places them; each is mounted where and when it is shown. */
export interface MarketSlots {
  readonly bar: ReactNode;
  /** The list of markets beside the chart of very wide windows. */
  readonly list: ReactNode;
  readonly chart: ReactNode;
  readonly book: ReactNode;
  readonly tapes: ReactNode;
  readonly ticket: ReactNode;
  /** The person's open business on this market. */
  readonly orders: ReactNode;
  /** Chart, depth and coin of a phone, one view at a time. */
  readonly phone: { readonly chart: ReactNode; readonly depth: ReactNode; readonly info: ReactNode };
  /** Buttons within reach of the thumb that open the ticket. */
  readonly actions: ReactNode;
}
interface Sheet {
  readonly open: boolean;
  readonly title: string;
  readonly onClose: () => void;
}
interface Props {
  width: Width;
  panels: Panels;
  slots: MarketSlots;
  /** The ticket of a phone, from below. */
  sheet: Sheet;
}

/** The arrangement of a trading screen for each width of the window. */
export function MarketFrame({ width, panels, slots, sheet }: Props) {
  if (width === 'phone') return <PhoneFrame slots={slots} sheet={sheet} />;
  if (width === 'tablet') return <TabletFrame slots={slots} />;
  return <DeskFrame width={width} panels={panels} slots={slots} />;
}

function PhoneFrame({ slots, sheet }: Pick<Props, 'slots' | 'sheet'>) {
  const [wasOpen, setWasOpen] = useState(sheet.open);
  if (sheet.open && !wasOpen) setWasOpen(true);
  return (
    <div className="flex flex-1 flex-col">
      {slots.bar}
      <PhoneViews slots={slots} />
      <Panel className="mt-1 flex min-h-64 flex-col">{slots.orders}</Panel>
      <div className="sticky bottom-13 z-20 flex gap-2 border-t border-line bg-bg1 p-2">{slots.actions}</div>
      <Suspense>
        {/* What a person typed stays while they look at the chart. */}
        {wasOpen && (
          <Activity mode={sheet.open ? 'visible' : 'hidden'}>
            <TicketSheet title={sheet.title} onClose={sheet.onClose}>
              {slots.ticket}
            </TicketSheet>
          </Activity>
        )}
      </Suspense>
    </div>
  );
}

type PhoneView = 'chart' | 'book' | 'trades' | 'depth' | 'info';
function PhoneViews({ slots: { phone, book, tapes } }: Pick<Props, 'slots'>) {
  const { t } = useTranslation();
  const [view, setView] = useState<PhoneView>('chart');
  const views: Record<PhoneView, ReactNode> = {
    chart: <div className="flex h-[52dvh] min-h-80 flex-col">{phone.chart}</div>,
    book,
    trades: tapes,
    depth: <div className="flex h-72 flex-col">{phone.depth}</div>,
    info: phone.info,
  };
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

function TabletFrame({ slots }: Pick<Props, 'slots'>) {
  return (
    <div className="flex flex-1 flex-col gap-1">
      {slots.bar}
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)_300px] gap-1 p-1 pt-0">
        <div className="flex min-w-0 flex-col gap-1">
          <Panel className="flex h-[420px] flex-col overflow-hidden">{slots.chart}</Panel>
          <Panel className="flex h-[420px] flex-col overflow-hidden">{slots.orders}</Panel>
          <Panel>{slots.tapes}</Panel>
        </div>
        <div className="flex min-w-0 flex-col gap-1">
          <Panel>
            <TicketPlace>{slots.ticket}</TicketPlace>
          </Panel>
          <Panel>{slots.book}</Panel>
        </div>
      </div>
    </div>
  );
}

function DeskFrame({ width, panels, slots }: Omit<Props, 'sheet'>) {
  const { layout } = panels;
  const chartAt = layout.columns.indexOf('chart');
  const orders = (
    <>
      <PanelSplitter name="orders" panels={panels} />
      <div className="flex max-h-[60%] shrink-0 flex-col" style={{ height: layout.orders }}>
        <Panel className="flex min-h-0 flex-1 flex-col overflow-hidden">{slots.orders}</Panel>
      </div>
    </>
  );
  const contents: Record<DeskColumn, ReactNode> = {
    chart: (
      <div key="chart" className="flex min-h-0 min-w-0 flex-1 flex-col gap-0.5">
        <Panel className="flex min-h-0 flex-1 flex-col overflow-hidden">{slots.chart}</Panel>
        {!layout.across && orders}
      </div>
    ),
    book: (
      <div key="book" className="flex min-h-0 shrink-0 flex-col gap-1" style={{ width: layout.book }}>
        <BookColumn slots={slots} narrow={width === 'small' || layout.across} />
      </div>
    ),
    ticket: (
      <div key="ticket" className="flex min-h-0 shrink-0 flex-col" style={{ width: layout.ticket }}>
        <Panel className="min-h-0 flex-1 overflow-auto">
          <TicketPlace>{slots.ticket}</TicketPlace>
        </Panel>
      </div>
    ),
  };
  // The chart takes the space that is left: the handle of another column lies on its side towards the chart.
  const withHandle = (name: DeskColumn): ReactNode => {
    if (name === 'chart') return contents.chart;
    const side = layout.columns.indexOf(name) < chartAt ? 'after' : 'before';
    const handle = <PanelSplitter key="handle" name={name} panels={panels} side={side} />;
    return <Fragment key={name}>{side === 'after' ? [contents[name], handle] : [handle, contents[name]]}</Fragment>;
  };
  // The ticket needs the whole height: orders across the columns leave it out where it stands at an edge.
  const inner = layout.columns.filter((name, at) => name !== 'ticket' || at === 1);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {slots.bar}
      <div className="flex min-h-0 flex-1 gap-0.5 p-1">
        {width === 'huge' && (
          <Panel className="me-0.5 flex min-h-0 w-[280px] shrink-0 flex-col overflow-hidden">
            <Suspense fallback={<Skeleton className="m-3 h-60" />}>{slots.list}</Suspense>
          </Panel>
        )}
        {layout.columns[0] === 'ticket' && withHandle('ticket')}
        <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-0.5">
          <div className="flex min-h-0 flex-1 gap-0.5">{inner.map(withHandle)}</div>
          {layout.across && orders}
        </div>
        {layout.columns[2] === 'ticket' && withHandle('ticket')}
      </div>
    </div>
  );
}

/** Target of the second skip link of the page, which leads past chart and book to the order form. */
const TicketPlace = ({ children }: { children: ReactNode }) => (
  <div id="ticket" tabIndex={-1} className="outline-none">
    {children}
  </div>
);

/** Book and tapes below each other; in a narrow window, or above the orders, one of them. */
function BookColumn({ slots: { book, tapes }, narrow }: Pick<Props, 'slots'> & { narrow: boolean }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<'book' | 'tape'>('book');
  if (!narrow)
    return (
      <>
        <Panel className="flex min-h-65 flex-2 flex-col overflow-hidden">{book}</Panel>
        <Panel className="min-h-0 flex-1 overflow-auto">{tapes}</Panel>
      </>
    );
  return (
    <Panel className="flex min-h-0 flex-1 flex-col overflow-hidden">
      <Tabs
        panelClassName="flex min-h-0 flex-1 flex-col overflow-auto"
        label={t('book.title')}
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'book', label: t('book.title') },
          { id: 'tape', label: t('tape.title') },
        ]}
      >
        {tab === 'book' ? book : tapes}
      </Tabs>
    </Panel>
  );
}
