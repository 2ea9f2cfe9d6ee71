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

/**
 * The painted rows of one side of the ladder. Sell rows are in reverse order: the furthest on top, the best at the
 * bottom.
 */
export class LadderRows {
  private readonly pool: RowPool;
  private readonly bars: HTMLElement[] = [];
  private readonly widths: number[] = [];
  private readonly tone: 'down' | 'up';
  private ladder: readonly LadderRow[] = [];

  constructor(
    host: HTMLElement,
    private readonly options: Options,
  ) {
    this.tone = options.side === 'asks' ? 'down' : 'up';
    this.pool = new RowPool(host, options.count, ROW_PX, CELLS, (row) => {
      const bar = document.createElement('div');
      bar.className = `depth-bar ${this.tone}`;
      row.append(bar);
      this.bars.push(bar);
    });
  }

  paint(ladder: readonly LadderRow[]): void {
    this.ladder = ladder;
    const { count, pair, own, ownTitle } = this.options;
    // Decimals of the pair's lot, at most four.
    const amountScale = Math.min(4, pair.number_scale);
    for (let at = 0; at < count; at += 1) {
      const row = ladder[at];
      const place = this.mirrored(at);
      markOwn(this.pool.rows[place]!, row !== undefined && own.has(fixed(row.price, pair.price_scale)), ownTitle);
      this.pool.write(
        place,
        row && [
          String(row.level),
          formatBookPrice(row.price, pair.price_scale),
          formatFitting(row.number, amountScale, ROOM),
          formatFitting(row.cumulative, amountScale, ROOM),
        ],
        this.tone,
      );
      const share = row?.share ?? 0;
      if (this.widths[place] === share) continue;
      this.widths[place] = share;
      this.bars[place]!.style.transform = `scaleX(${share / 100})`;
    }
  }

  /** The price of the best row. */
  get bestCell(): HTMLElement | undefined {
    return this.pool.rows[this.mirrored(0)]?.cells[1];
  }

  /** What a press of the cell picks: the row as it was when it was pressed, not as the book is by now. */
  pickAt(cell: HTMLElement): BookPick | undefined {
    const place = this.pool.rows.findIndex(({ cells }) => cells.includes(cell));
    const row = place < 0 ? undefined : this.ladder[this.mirrored(place)];
    if (!row) return undefined;
    const { price, cumulative: amount } = row;
    return this.pool.rows[place]!.cells[2] === cell ? { price, amount } : { price };
  }

  /** The place of a level in the rows, and the level at a place. */
  private mirrored(at: number): number {
    return this.options.side === 'asks' ? this.options.count - 1 - at : at;
  }
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
