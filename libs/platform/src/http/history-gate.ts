import { Unavailable } from './unavailable.js';

/** Reads of histories at once, of the ten connections of a process, and how many may wait for one. */
const AT_ONCE = 3;
const WAITING_MAX = 60;

/**
 * Reads of long histories have connections of their own: a few at once over all callers, so that orders, balances and
 * withdrawals always find a free one (HARD-315).
 */
export class HistoryGate {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly atOnce = AT_ONCE,
    private readonly waitingMax = WAITING_MAX,
  ) {}

  /** Reads the pieces of a history one by one: between two of them others read. */
  async *readPieces<T>(pieces: AsyncGenerator<T>): AsyncGenerator<T> {
    for (;;) {
      const piece = await this.run(() => pieces.next());
      if (piece.done === true) return;
      yield piece.value;
    }
  }

  /** @throws Unavailable when too many wait already. */
  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.running < this.atOnce) this.running += 1;
    else {
      if (this.waiting.length >= this.waitingMax) throw new Unavailable('too many histories are read at once');
      // A call that ends passes its place on directly: it is never free in between.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      return await read();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
