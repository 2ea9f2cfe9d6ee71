/**
 * A list in the order of `lead`, which is below zero when the first one comes first, and zero for no two of the list.
 * It may have any number of items, so the place of one is found by halves.
 */
export class SortedList<T> {
  /** Sorted in reverse, so that removing the next one moves no other. */
  private list: T[] = [];

  constructor(private readonly lead: (one: T, other: T) => number) {}

  get size(): number {
    return this.list.length;
  }

  /** The first one. */
  get next(): T | undefined {
    return this.list.at(-1);
  }

  /** The items from the first one on that fit, up to one that does not. */
  leading(fits: (item: T) => boolean): readonly T[] {
    const found: T[] = [];
    for (let at = this.list.length - 1; at >= 0 && fits(this.list[at] as T); at -= 1) found.push(this.list[at] as T);
    return found;
  }

  /** Takes the first one out of the list. */
  take(): T | undefined {
    return this.list.pop();
  }

  /** Puts an item at its place; what its place depends on stays as it is while it is in the list. */
  add(item: T): void {
    this.list.splice(this.placeOf(item), 0, item);
  }

  /** Takes an item out; one that is not in the list changes nothing. */
  delete(item: T): void {
    const at = this.placeOf(item);
    if (this.list[at] === item) this.list.splice(at, 1);
  }

  /** The item whose place is the one of `like`. */
  find(like: T): T | undefined {
    const found = this.list[this.placeOf(like)];
    return found !== undefined && this.lead(found, like) === 0 ? found : undefined;
  }

  /** Adds many items at once. */
  restore(items: readonly T[]): void {
    for (const item of items) this.list.push(item);
    this.list.sort((a, b) => this.lead(b, a));
  }

  /** Adds the items of a list that is not longer, in time that depends on the shorter list as far as moving allows. */
  merge({ list: items }: SortedList<T>): void {
    if (items.length * FEW < this.list.length) {
      for (const item of items) this.add(item);
      return;
    }
    const merged: T[] = [];
    let at = 0;
    for (const item of this.list) {
      for (; at < items.length && this.lead(items[at] as T, item) > 0; at += 1) merged.push(items[at] as T);
      merged.push(item);
    }
    for (; at < items.length; at += 1) merged.push(items[at] as T);
    this.list = merged;
  }

  /** The items in no particular order. */
  [Symbol.iterator](): Iterator<T> {
    return this.list.values();
  }

  private placeOf(item: T): number {
    let low = 0;
    let high = this.list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.lead(this.list[middle] as T, item) <= 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** A list that is so many times longer than another one takes its items one by one. */
const FEW = 16;
