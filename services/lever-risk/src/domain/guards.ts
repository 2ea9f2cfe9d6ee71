/*
 * Finds the accounts that a price may concern. For each pair an account sets the nearest prices below and above at
 * which it may have to act; a tick returns the accounts whose guard it reaches. Guards only select: each selected
 * account is then evaluated exactly.
 */

/** Prices in ticks; null: none in that direction. */
export interface Guard {
  /** The account may have to act at this price and below. */
  readonly below: bigint | null;
  /** The account may have to act at this price and above. */
  readonly above: bigint | null;
}

interface Entry {
  readonly price: bigint;
  readonly account: string;
  readonly version: number;
}

/** A heap with the price on top that is reached first. */
class Heap {
  private entries: Entry[] = [];

  constructor(private readonly before: (a: bigint, b: bigint) => boolean) {}

  get size(): number {
    return this.entries.length;
  }
  get top(): Entry | undefined {
    return this.entries[0];
  }

  push(entry: Entry): void {
    const { entries } = this;
    let at = entries.length;
    entries.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = entries[parent]!;
      if (!this.before(entry.price, above.price)) break;
      entries[at] = above;
      at = parent;
    }
    entries[at] = entry;
  }

  pop(): void {
    const last = this.entries.pop();
    if (last === undefined || this.entries.length === 0) return;
    this.sink(0, last);
  }

  /** Removes the entries that do not satisfy `counts`. */
  keep(counts: (entry: Entry) => boolean): void {
    this.entries = this.entries.filter(counts);
    for (let at = (this.entries.length >> 1) - 1; at >= 0; at--) this.sink(at, this.entries[at]!);
  }

  private sink(from: number, entry: Entry): void {
    const { entries } = this;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= entries.length) break;
      if (child + 1 < entries.length && this.before(entries[child + 1]!.price, entries[child]!.price)) child += 1;
      if (!this.before(entries[child]!.price, entry.price)) break;
      entries[at] = entries[child]!;
      at = child;
    }
    entries[at] = entry;
  }
}

/** Guards of one pair. Replaced entries stay in the heaps until they reach the top or become too many. */
export class PairGuards {
  private readonly below = new Heap((a, b) => a > b);
  private readonly above = new Heap((a, b) => a < b);
  private readonly versions = new Map<string, number>();
  private count = 0;

  /** Entries in memory, replaced ones included. */
  get size(): number {
    return this.below.size + this.above.size;
  }

  set(account: string, { below, above }: Guard): void {
    const version = ++this.count;
    this.versions.set(account, version);
    if (below !== null) this.below.push({ price: below, account, version });
    if (above !== null) this.above.push({ price: above, account, version });
    if (this.size > 64 && this.size > 4 * this.versions.size) this.compact();
  }

  delete(account: string): void {
    this.versions.delete(account);
  }

  /** Accounts whose guard a price reaches. Each is returned once, until its guard is set again. */
  reached(price: bigint): string[] {
    const found = new Set<string>();
    this.take(this.below, (guard) => price <= guard, found);
    this.take(this.above, (guard) => price >= guard, found);
    for (const account of found) this.versions.delete(account);
    return [...found];
  }

  private take(heap: Heap, isReached: (guard: bigint) => boolean, found: Set<string>): void {
    for (let top = heap.top; top; top = heap.top) {
      const isCurrent = this.versions.get(top.account) === top.version;
      if (isCurrent && !isReached(top.price)) return;
      heap.pop();
      if (isCurrent) found.add(top.account);
    }
  }

  private compact(): void {
    const counts = ({ account, version }: Entry): boolean => this.versions.get(account) === version;
    this.below.keep(counts);
    this.above.keep(counts);
  }
}
