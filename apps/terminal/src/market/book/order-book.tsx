import '../live.css';
import { Suspense, useEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { atMost, cx, fixed, formatBookPrice, Num, Skeleton } from '@bourse/ui';
import type { View } from '@bourse/realtime';
import { lazyScreen } from '@bourse/web';
import { loadWithTexts } from '../../core/i18n.js';
import { useKept } from '../../prefs/use-kept.js';
import { BookBar, type BookView } from './book-bar.js';
import {
  groupingsAt,
  groupLevels,
  groupPrice,
  ladderOf,
  levelsFor,
  usedGrouping,
  type BookSide,
  type Ladder,
} from './ladder.js';
import { makeLadderRows, ROW_PX, type BookPick, type LadderRows } from './ladder-rows.js';
import { lastPriceOf, type PairStream } from '../stream/pair-stream.js';
import type { LadderPainter } from './imbalance-bar.js';
import { LiveHead } from './live-head.js';

const ImbalanceBar = lazyScreen(async () => ({
  default: (await loadWithTexts(import('./imbalance-bar.js'), ['desk'])).ImbalanceBar,
}));
/** Rows of a side until its height is measured. */
const FIRST_LEVELS = 8;
/** Height of the column heads and of the row with the last price. */
const FIXED_PX = 72;
const NO_PRICES: readonly OwnPrice[] = [];
/** How long the rows hold still under the pointer (terminal rule 4). */
const HOLD_MS = 2_000;

/** A price at which an order of the person rests. */
export interface OwnPrice {
  readonly side: BookSide;
  readonly price: string;
}
interface Props {
  pair: QuotationItem;
  stream: PairStream;
  approx: (price: string) => string;
  age: number | undefined;
  /** @param shift Shift was held */
  onPick: (pick: BookPick, shift: boolean) => void;
  /** Prices of the person's resting orders; their rows are marked. */
  own?: readonly OwnPrice[];
}

/**
 * The ladder: sell rows numbered down to 1, the last price and the spread, buy rows, as many as there is room for.
 * Painted by the frame loop, not by React.
 */
export function OrderBook({ pair, stream, approx, age, onPick, own = NO_PRICES }: Props) {
  const { t } = useTranslation();
  const askHost = useRef<HTMLDivElement>(null);
  const bidHost = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const shown = useRef<Pick<Ladder, 'asks' | 'bids'>>({ asks: [], bids: [] });
  const spread = useRef<HTMLSpanElement>(null);
  const [levels, setLevels] = useState(FIRST_LEVELS);
  const [view, setView] = useKept<BookView>('book.view', 'both');
  const [keptGrouping, setGrouping] = useKept(`book.grouping.${pair.symbol}`, 0);
  const [imbalance, setImbalance] = useKept('book.imbalance', false);
  const paintImbalance: LadderPainter = useRef(undefined);
  const sides = view === 'both' ? 2 : 1;
  const holdUntil = useRef(-Infinity);
  const [paused, setPaused] = useState(false);
  const snapshot = useSyncExternalStore(stream.subscribe, stream.snapshot);
  const lastPrice = lastPriceOf(snapshot, pair);
  const groupings = groupingsAt(lastPrice, pair.price_scale);
  const grouping = usedGrouping(keptGrouping, groupings);
  const pick = useRef(onPick);
  pick.current = onPick;

  useEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const fit = new ResizeObserver(() => setLevels(levelsFor(element.clientHeight - FIXED_PX, sides, ROW_PX)));
    fit.observe(element);
    return () => fit.disconnect();
  }, [sides]);

  useEffect(() => {
    const asks = askHost.current;
    const bids = bidHost.current;
    if (!asks || !bids) return;
    const hidden = view === 'both' ? undefined : view === 'asks' ? 'bids' : 'asks';
    const scales = { priceScale: pair.price_scale, numberScale: pair.number_scale };
    const rowsOf = (side: BookSide, host: HTMLElement): LadderRows =>
      makeLadderRows(host, {
        side,
        count: side === hidden ? 0 : levels,
        pair,
        own: groupOwn(own, side, grouping, pair.price_scale),
        ownTitle: t('book.own'),
      });
    const sideRows = { asks: rowsOf('asks', asks), bids: rowsOf('bids', bids) };
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Fresh rows are empty: they are filled at once, whatever the pointer does.
    let isFilled = false;
    const painter: View = {
      paint: () => {
        const held = holdUntil.current - performance.now();
        if (!isFilled || held <= 0) return paintNow();
        setPaused(true);
        timer ??= setTimeout(() => {
          timer = undefined;
          paintNow();
        }, held);
      },
    };
    const paintNow = (): void => {
      setPaused(false);
      isFilled = true;
      const { bids: held, asks: offered } = stream.book;
      const ladder = ladderOf(
        groupLevels(held, 'bids', grouping, scales),
        groupLevels(offered, 'asks', grouping, scales),
        levels,
        scales,
      );
      const best = grouping === 0 ? ladder : ladderOf(held, offered, 1, scales);
      const gap = best.spread === '' ? '' : `${atMost(best.spread, 8)} (${fixed(best.spreadPercent, 3)}%)`;
      if (spread.current && spread.current.textContent !== gap) spread.current.textContent = gap;
      shown.current = ladder;
      paintImbalance.current?.(ladder);
      sideRows.asks.paint(ladder.asks);
      sideRows.bids.paint(ladder.bids);
    };
    const onClick = (event: MouseEvent): void => {
      const cell = (event.target as HTMLElement).closest('button');
      const picked = cell && (sideRows.asks.pickAt(cell) ?? sideRows.bids.pickAt(cell));
      // The second click of a double click neither sends an order nor fills the ticket.
      if (picked && !(event.shiftKey && event.detail > 1)) pick.current(picked, event.shiftKey);
    };
    const stop = stream.showBook(painter);
    const element = root.current;
    element?.addEventListener('click', onClick);
    const first = sideRows.bids.bestCell ?? sideRows.asks.bestCell;
    if (first) first.tabIndex = 0;
    return () => {
      stop();
      clearTimeout(timer);
      element?.removeEventListener('click', onClick);
    };
  }, [pair.symbol, pair.price_scale, pair.number_scale, stream, levels, view, grouping, own, t]);

  const hold = (): void => {
    const now = performance.now();
    // A hold that ran out needs a rest before the next: a pointer left in the book must not freeze it for good.
    if (now > holdUntil.current + HOLD_MS) holdUntil.current = now + HOLD_MS;
  };
  const release = (): void => {
    holdUntil.current = -Infinity;
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-hidden">
      <BookBar
        view={view}
        onView={setView}
        grouping={grouping}
        groupings={groupings}
        onGrouping={setGrouping}
        priceScale={pair.price_scale}
        imbalance={imbalance}
        onImbalance={setImbalance}
      />
      <div
        ref={root}
        role="table"
        aria-label={t('book.title')}
        aria-live="off"
        className={cx('flex min-h-0 flex-1 flex-col overflow-hidden', age !== undefined && 'stale')}
        onPointerEnter={hold}
        onPointerMove={hold}
        onPointerLeave={release}
        onFocus={hold}
        onBlur={release}
        onKeyDown={focusNextRow}
      >
        <LiveHead pair={pair} before="#" third={t('book.sum')} />
        <div
          ref={askHost}
          role="rowgroup"
          className="live-host shrink-0"
          style={{ height: view === 'bids' ? 0 : levels * ROW_PX }}
        />
        <LastPriceRow
          price={lastPrice}
          scale={pair.price_scale}
          direction={snapshot.direction}
          approx={approx}
          age={age}
          paused={paused}
          spread={spread}
        />
        <div
          ref={bidHost}
          role="rowgroup"
          className="live-host shrink-0"
          style={{ height: view === 'asks' ? 0 : levels * ROW_PX }}
        />
      </div>
      <Suspense>{imbalance && <ImbalanceBar painter={paintImbalance} shown={shown} />}</Suspense>
    </div>
  );
}

/** The rows in which orders of the person rest, by their price. */
const groupOwn = (own: readonly OwnPrice[], side: BookSide, grouping: number, scale: number): ReadonlySet<string> =>
  new Set(
    own.filter((one) => one.side === side).map(({ price }) => fixed(groupPrice(price, side, grouping, scale), scale)),
  );

/** Moves the focus between the prices by the arrow keys. */
function focusNextRow(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('.live-cell.first > button')].filter(
    (button) => button.closest<HTMLElement>('.live-row')?.style.visibility !== 'hidden',
  );
  const next = buttons[buttons.indexOf(document.activeElement as HTMLElement) + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** The row between the sides: the last price with its direction, and the spread or why the rows do not move. */
function LastPriceRow({
  price,
  scale,
  direction,
  approx,
  age,
  paused,
  spread,
}: Pick<Props, 'approx' | 'age'> & {
  price: string;
  scale: number;
  direction: number;
  paused: boolean;
  spread: RefObject<HTMLSpanElement | null>;
}) {
  const { t } = useTranslation();
  return (
    <div role="row" className="flex h-11 shrink-0 items-center gap-2 px-3">
      <span role="cell" className="flex min-w-0 items-baseline gap-2 overflow-hidden whitespace-nowrap">
        {price === '' ? (
          <Skeleton className="h-7 w-28" />
        ) : (
          <Num className={cx('text-last font-semibold', direction > 0 && 'text-up', direction < 0 && 'text-down')}>
            {formatBookPrice(price, scale)}
            {direction > 0 ? ' ↑' : direction < 0 ? ' ↓' : ''}
          </Num>
        )}
      </span>
      <span role="cell" className="ms-auto flex flex-col items-end text-label whitespace-nowrap text-t2">
        {price !== '' && <Num>{approx(price)}</Num>}
        {age !== undefined ? (
          <Num>{(Math.min(age, 999_000) / 1000).toFixed(1)} s</Num>
        ) : paused ? (
          t('book.paused')
        ) : null}
        <span className={cx((age !== undefined || paused) && 'hidden')} title={t('book.spread')}>
          <span className="sr-only">{t('book.spread')} </span>
          <bdi ref={spread} dir="ltr" className="num" />
        </span>
      </span>
    </div>
  );
}
