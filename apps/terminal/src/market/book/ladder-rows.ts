import type { QuotationItem } from '@bourse/contract';
import { fixed, formatBookPrice, formatFitting } from '@bourse/ui';
import type { BookSide, LadderRow } from './ladder.js';
import { RowPool } from './row-pool.js';

export const ROW_PX = 20;
/** Characters of an amount and of a sum: more would touch the column beside it in the narrowest book. */
const ROOM = 8;
const CELLS = ['level', 'button:first tone wide', 'button:', ''];

export interface BookPick {
  price: string;
  amount?: string;
}
interface Options {
  readonly side: BookSide;
  readonly count: number;
  readonly pair: QuotationItem;
  /** Prices at which orders of the person rest, and the title of their rows. */
  readonly own: ReadonlySet<string>;
  readonly ownTitle: string;
}

/** The painted rows of one side of the ladder. */
export interface LadderRows {
  readonly paint: (ladder: readonly LadderRow[]) => void;
  /** The price of the best row. */
  readonly bestCell: HTMLElement | undefined;
  /** The row that a press of the cell picks: as it was when it was pressed, not as the book is by now. */
  readonly pickAt: (cell: HTMLElement) => BookPick | undefined;
}

/** Makes the rows of one side in their host, empty until they are painted. */
export function makeLadderRows(host: HTMLElement, { side, count, pair, own, ownTitle }: Options): LadderRows {
  const tone = side === 'asks' ? 'down' : 'up';
  const bars: HTMLElement[] = [];
  const widths: number[] = [];
  const pool = new RowPool(host, count, ROW_PX, CELLS, (row) => {
    const bar = document.createElement('div');
    bar.className = `depth-bar ${tone}`;
    row.append(bar);
    bars.push(bar);
  });
  // Sell rows are in reverse order: the furthest on top, the best at the bottom.
  const mirrored = (at: number): number => (side === 'asks' ? count - 1 - at : at);
  // Decimals of the pair's lot, at most four.
  const amountScale = Math.min(4, pair.number_scale);
  let shown: readonly LadderRow[] = [];
  return {
    paint: (ladder) => {
      shown = ladder;
      for (let at = 0; at < count; at += 1) {
        const row = ladder[at];
        const place = mirrored(at);
        markOwn(pool.rows[place]!, row !== undefined && own.has(fixed(row.price, pair.price_scale)), ownTitle);
        pool.write(
          place,
          row && [
            String(row.level),
            formatBookPrice(row.price, pair.price_scale),
            formatFitting(row.number, amountScale, ROOM),
            formatFitting(row.cumulative, amountScale, ROOM),
          ],
          tone,
        );
        const share = row?.share ?? 0;
        if (widths[place] === share) continue;
        widths[place] = share;
        bars[place]!.style.transform = `scaleX(${share / 100})`;
      }
    },
    bestCell: pool.rows[mirrored(0)]?.cells[1],
    pickAt: (cell) => {
      const place = pool.rows.findIndex(({ cells }) => cells.includes(cell));
      const row = place < 0 ? undefined : shown[mirrored(place)];
      if (!row) return undefined;
      const { price, cumulative: amount } = row;
      return pool.rows[place]!.cells[2] === cell ? { price, amount } : { price };
    },
  };
}

function markOwn({ element }: RowPool['rows'][number], own: boolean, title: string): void {
  if ('own' in element.dataset === own) return;
  if (own) {
    element.dataset['own'] = '';
    element.title = title;
  } else {
    delete element.dataset['own'];
    element.removeAttribute('title');
  }
}
