import '../live.css';
import { Suspense, useEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { atMost, cx, fixed, formatBookPrice, formatFitting, Num, Skeleton } from '@bourse/ui';
import type { View } from '@bourse/realtime';
import { lazyScreen } from '@bourse/web';
import { loadWithTexts } from '../../core/i18n.js';
import { useKept } from '../../prefs/use-kept.js';
import { BookBar, type BookView } from './book-bar.js';
import { groupLevels, groupPrice, ladderOf, levelsFor, type BookSide, type LadderRow } from './ladder.js';
import { lastPriceOf, type PairStream } from '../stream/pair-stream.js';
import type { LadderPainter } from './imbalance-bar.js';
import { LiveHead } from './live-head.js';
import { RowPool } from './row-pool.js';

const ImbalanceBar = lazyScreen(async () => ({
  default: (await loadWithTexts(import('./imbalance-bar.js'), ['desk'])).ImbalanceBar,
}));
/** Rows of a side until its height is measured. */
const FIRST_LEVELS = 8;
/** Height of the column heads and of the row with the last price. */
const FIXED_PX = 72;
const NO_PRICES: readonly OwnPrice[] = [];
/** Characters of an amount and of a sum: more would touch the column beside it in the narrowest book. */
const ROOM = 8;
/** Decimals of amounts in columns: those of the pair's lot, at most four. */
const amountScale = (pair: QuotationItem): number => Math.min(4, pair.number_scale);
const ROW_PX = 20;
/** How long the rows hold still under the pointer (terminal rule 4). */
const HOLD_MS = 2_000;

export interface BookPick {
  price: string;
  amount?: string;
}
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
  onPick: (pick: BookPick) => void;
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
  const shown = useRef<{ asks: readonly LadderRow[]; bids: readonly LadderRow[] }>({ asks: [], bids: [] });
  const spread = useRef<HTMLSpanElement>(null);
  const [levels, setLevels] = useState(FIRST_LEVELS);
  const [view, setView] = useKept<BookView>('book.view', 'both');
  const [grouping, setGrouping] = useKept(`book.grouping.${pair.symbol}`, 0);
  const [imbalance, setImbalance] = useKept('book.imbalance', false);
  const paintImbalance: LadderPainter = useRef(undefined);
  const sides = view === 'both' ? 2 : 1;
  const hold = useRef({ inside: false, until: 0 });
  const [paused, setPaused] = useState(false);
  const snapshot = useSyncExternalStore(stream.subscribe, stream.snapshot);
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
    const counts = { asks: view === 'bids' ? 0 : levels, bids: view === 'asks' ? 0 : levels };
    const scales = { priceScale: pair.price_scale, numberScale: pair.number_scale };
    const ownText = t('book.own');
    const ownPrices = (side: BookSide): ReadonlySet<string> =>
      new Set(
        own
          .filter((one) => one.side === side)
          .map(({ price }) => fixed(groupPrice(price, side, grouping, pair.price_scale), pair.price_scale)),
      );
    const owned = { asks: ownPrices('asks'), bids: ownPrices('bids') };
    const bars: Record<'asks' | 'bids', HTMLElement[]> = { asks: [], bids: [] };
    const bar =
      (side: 'asks' | 'bids') =>
      (row: HTMLElement): void => {
        const element = document.createElement('div');
        element.className = `depth-bar ${side === 'asks' ? 'down' : 'up'}`;
        row.append(element);
        bars[side].push(element);
      };
    const cells = ['level', 'button:first tone wide', 'button:', ''];
    const pools = {
      asks: new RowPool(asks, counts.asks, ROW_PX, cells, bar('asks')),
      bids: new RowPool(bids, counts.bids, ROW_PX, cells, bar('bids')),
    };
    const widths: Record<'asks' | 'bids', number[]> = { asks: [], bids: [] };
    const paintSide = (side: 'asks' | 'bids', rows: readonly LadderRow[]): void => {
      for (let at = 0; at < counts[side]; at += 1) {
        const row = rows[at];
        // Sell rows are in reverse order: the furthest on top, the best at the bottom.
        const place = side === 'asks' ? counts.asks - 1 - at : at;
        markOwn(
          pools[side].rows[place],
          row !== undefined && owned[side].has(fixed(row.price, pair.price_scale)),
          ownText,
        );
        pools[side].write(
          place,
          row && [
            String(row.level),
            formatBookPrice(row.price, pair.price_scale),
            formatFitting(row.number, amountScale(pair), ROOM),
            formatFitting(row.cumulative, amountScale(pair), ROOM),
          ],
          side === 'asks' ? 'down' : 'up',
        );
        const share = row?.share ?? 0;
        if (widths[side][place] === share) continue;
        widths[side][place] = share;
        bars[side][place]!.style.transform = `scaleX(${share / 100})`;
      }
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Fresh rows are empty: they are filled at once, whatever the pointer does.
    let isFilled = false;
    const painter: View = {
      paint: () => {
        const now = performance.now();
        if (isFilled && hold.current.inside && now < hold.current.until) {
          setPaused(true);
          timer ??= setTimeout(() => {
            timer = undefined;
            paintNow();
          }, hold.current.until - now);
          return;
        }
        paintNow();
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
      paintSide('asks', ladder.asks);
      paintSide('bids', ladder.bids);
    };
    const onClick = (event: Event): void => {
      const cell = (event.target as HTMLElement).closest('button');
      const element = cell?.closest<HTMLElement>('.live-row');
      if (!cell || !element) return;
      for (const side of ['asks', 'bids'] as const) {
        const place = pools[side].rows.findIndex((row) => row.element === element);
        if (place < 0) continue;
        // The row as it was when it was pressed, not as the book is by now.
        const row = shown.current[side][side === 'asks' ? counts.asks - 1 - place : place];
        if (!row) return;
        pick.current(
          pools[side].rows[place]!.cells[2] === cell
            ? { price: row.price, amount: row.cumulative }
            : { price: row.price },
        );
      }
    };
    const stop = stream.showBook(painter);
    const element = root.current;
    element?.addEventListener('click', onClick);
    const first = (pools.bids.rows[0] ?? pools.asks.rows.at(-1))?.cells[1];
    if (first) first.tabIndex = 0;
    return () => {
      stop();
      clearTimeout(timer);
      element?.removeEventListener('click', onClick);
    };
  }, [pair.symbol, pair.price_scale, pair.number_scale, stream, levels, view, grouping, own, t]);

  const hold2s = (): void => {
    const now = performance.now();
    // A hold that ran out needs a rest before the next: a pointer left in the book must not freeze it for good.
    if (!hold.current.inside || now > hold.current.until + HOLD_MS)
      hold.current = { inside: true, until: now + HOLD_MS };
  };
  const release = (): void => {
    hold.current = { inside: false, until: 0 };
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const buttons = [...(root.current?.querySelectorAll<HTMLElement>('.live-cell.first > button') ?? [])].filter(
      (button) => button.closest<HTMLElement>('.live-row')?.style.visibility !== 'hidden',
    );
    const next = buttons[buttons.indexOf(document.activeElement as HTMLElement) + (event.key === 'ArrowDown' ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  const lastPrice = lastPriceOf(snapshot, pair);
  const empty = lastPrice === '';
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-hidden">
      <BookBar
        view={view}
        onView={setView}
        grouping={grouping}
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
        onPointerEnter={hold2s}
        onPointerMove={hold2s}
        onPointerLeave={release}
        onFocus={hold2s}
        onBlur={release}
        onKeyDown={onKey}
      >
        <LiveHead pair={pair} before="#" third={t('book.sum')} />
        <div
          ref={askHost}
          role="rowgroup"
          className="live-host shrink-0"
          style={{ height: view === 'bids' ? 0 : levels * ROW_PX }}
        />
        <div role="row" className="flex h-11 shrink-0 items-center gap-2 px-3">
          <span role="cell" className="flex min-w-0 items-baseline gap-2 overflow-hidden whitespace-nowrap">
            {empty ? (
              <Skeleton className="h-7 w-28" />
            ) : (
              <Num
                className={cx(
                  'text-last font-semibold',
                  snapshot.direction > 0 && 'text-up',
                  snapshot.direction < 0 && 'text-down',
                )}
              >
                {formatBookPrice(lastPrice, pair.price_scale)}
                {snapshot.direction > 0 ? ' ↑' : snapshot.direction < 0 ? ' ↓' : ''}
              </Num>
            )}
          </span>
          <span role="cell" className="ms-auto flex flex-col items-end text-label whitespace-nowrap text-t2">
            {!empty && <Num>{approx(lastPrice)}</Num>}
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

/** Marks the row of a price at which an order of the person rests. */
function markOwn(row: RowPool['rows'][number] | undefined, own: boolean, text: string): void {
  if (!row || 'own' in row.element.dataset === own) return;
  if (own) {
    row.element.dataset['own'] = '';
    row.element.title = text;
  } else {
    delete row.element.dataset['own'];
    row.element.removeAttribute('title');
  }
}
