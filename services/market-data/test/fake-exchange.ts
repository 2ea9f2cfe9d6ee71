import { setImmediate } from 'node:timers/promises';
import type { LiveExchange, LiveTicker } from '../src/adapters/feed/live-source.js';

/** An exchange for tests: `say` pushes a ticker to its stream, `polled` is the answer to its polls. */
export class FakeExchange implements LiveExchange {
  symbols: readonly string[] | undefined;
  readonly has: Readonly<Record<string, unknown>>;
  readonly polls: string[][] = [];
  polled: Record<string, LiveTicker> = {};
  isDown = false;
  isClosed = false;
  private readonly queued = new Map<string, LiveTicker[]>();
  private readonly waiting = new Map<string, (ticker: LiveTicker) => void>();

  constructor(
    private readonly listed: readonly string[],
    { streams = true }: { readonly streams?: boolean } = {},
  ) {
    this.has = { watchTicker: streams };
  }

  loadMarkets(): Promise<void> {
    if (this.isDown) return Promise.reject(new Error('down'));
    this.symbols = this.listed;
    return Promise.resolve();
  }
  watchTicker(symbol: string): Promise<LiveTicker> {
    if (this.isDown) return Promise.reject(new Error('down'));
    const next = this.queued.get(symbol)?.shift();
    return next ? Promise.resolve(next) : new Promise((resolve) => this.waiting.set(symbol, resolve));
  }
  fetchTickers(symbols: string[]): Promise<Record<string, LiveTicker>> {
    this.polls.push(symbols);
    return this.isDown ? Promise.reject(new Error('down')) : Promise.resolve(this.polled);
  }
  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }

  /** Pushes a ticker to the stream; the watcher has read it when this resolves. */
  async say(symbol: string, ticker: LiveTicker): Promise<void> {
    const take = this.waiting.get(symbol);
    this.waiting.delete(symbol);
    if (take) take(ticker);
    else this.queued.set(symbol, [...(this.queued.get(symbol) ?? []), ticker]);
    // A turn of the event loop, in which awaited work continues.
    await setImmediate();
  }
}
