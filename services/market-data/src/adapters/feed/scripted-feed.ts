import { open, stat } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import { FIRST_PRICES, type PairRow } from '@bourse/contract';
import { parseAmount, toUnits } from '@bourse/money';
import { PriceFeed, type FeedPrice, type FeedSources } from '../../application/ports.js';
import type { PastMarket } from '../../domain/simulated-history.js';
import { TimeMean } from '../../domain/time-mean.js';

const POLL_INTERVAL_MS = 100;
const READ_MAX = 64 * 1024;

/**
 * Prices written by a test: each line `{"symbol":"BTC/USDT","price":"60000.00"}` appended to the file becomes the
 * price, repeated until the next. A pair without a line keeps its first price. `{"symbol":"BTC/USDT","silent":true}`
 * silences a pair: its last price grows old, as that of a source that has died, until its next price is written. With a
 * `price` beside it the price comes late: it is published, and is as old as the silence. A line that does not fit is
 * logged and changes nothing.
 */
export class ScriptedFeed extends PriceFeed {
  readonly kind = 'simulated';
  private readonly logger = new Logger('ScriptedFeed');
  private readonly known = new Map<string, bigint>();
  private readonly silent = new Set<string>();
  /** When each pair had a price last. */
  private readonly heard = new Map<string, number>();
  /** A script has no volumes, so the mean is over time. */
  private readonly means = new Map<string, TimeMean>();
  private readonly scales = new Map<string, number>();
  private offset = 0;
  private rest = '';
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly file: string) {
    super();
  }

  async start(pairs: readonly PairRow[], changed: () => void): Promise<void> {
    for (const { symbol, priceScale } of pairs) {
      this.scales.set(symbol, priceScale);
      const first = FIRST_PRICES[symbol];
      if (first !== undefined) this.known.set(symbol, toUnits(first, priceScale));
    }
    await this.poll();
    const scheduleNext = (): void => {
      if (this.stopped) return;
      this.timer = setTimeout(
        () =>
          void this.poll()
            .then(
              (news) => {
                if (news) changed();
              },
              (error: unknown) => this.logger.warn(`${this.file}: ${(error as Error).message}`),
            )
            .finally(scheduleNext),
        POLL_INTERVAL_MS,
      );
    };
    scheduleNext();
  }

  prices(now: number): ReadonlyMap<string, FeedPrice> {
    const prices = new Map<string, FeedPrice>();
    for (const [symbol, price] of this.known) {
      const at = this.silent.has(symbol) ? (this.heard.get(symbol) ?? now) : now;
      this.heard.set(symbol, at);
      if (at === now) this.note(symbol, now, price);
      prices.set(symbol, { price, at, kind: 'simulated' });
    }
    return prices;
  }

  sourcesOf(symbol: string): FeedSources {
    return { count: this.known.has(symbol) ? 1 : 0, outliers: [] };
  }

  mean(symbol: string, now: number): bigint | null {
    return this.means.get(symbol)?.at(now) ?? null;
  }

  past(): ReadonlyMap<string, () => PastMarket> {
    return new Map();
  }

  stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    return Promise.resolve();
  }

  private note(symbol: string, now: number, price: bigint): void {
    let mean = this.means.get(symbol);
    if (!mean) this.means.set(symbol, (mean = new TimeMean()));
    mean.note(now, price);
  }

  /**
   * Reads the appended lines; returns whether a price came. A file that has become shorter was written again and is
   * read from its beginning.
   */
  private async poll(): Promise<boolean> {
    const size = await stat(this.file).then(
      (found) => found.size,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      },
    );
    if (size === null) return false;
    if (size < this.offset) {
      this.offset = 0;
      this.rest = '';
    }
    if (size === this.offset) return false;
    const handle = await open(this.file, 'r');
    let news = false;
    try {
      while (this.offset < size) {
        const { buffer, bytesRead } = await handle.read(
          Buffer.alloc(Math.min(READ_MAX, size - this.offset)),
          0,
          undefined,
          this.offset,
        );
        if (bytesRead === 0) break;
        this.offset += bytesRead;
        const lines = (this.rest + buffer.toString('latin1', 0, bytesRead)).split('\n');
        this.rest = lines.pop() ?? '';
        for (const line of lines) news = this.apply(line) || news;
      }
    } finally {
      await handle.close();
    }
    return news;
  }

  private apply(line: string): boolean {
    if (line.trim() === '') return false;
    const parsed = parseLine(line);
    const scale = parsed ? this.scales.get(parsed.symbol) : undefined;
    if (parsed?.silent === true && parsed.price === undefined && scale !== undefined) {
      this.silent.add(parsed.symbol);
      return false;
    }
    const price = typeof parsed?.price === 'string' && scale !== undefined ? parseAmount(parsed.price, scale) : null;
    if (!parsed || !price?.ok || price.units === 0n) {
      this.logger.warn(`${this.file}: not a price of a pair: ${line.slice(0, 200)}`);
      return false;
    }
    this.known.set(parsed.symbol, price.units);
    if (parsed.silent === true) this.silent.add(parsed.symbol);
    else this.silent.delete(parsed.symbol);
    return true;
  }
}

function parseLine(line: string): { symbol: string; price?: unknown; silent?: unknown } | null {
  try {
    const value = JSON.parse(line) as { symbol?: unknown; price?: unknown; silent?: unknown } | null;
    return typeof value?.symbol === 'string' ? { ...value, symbol: value.symbol } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
