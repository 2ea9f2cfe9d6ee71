import { LRUCache } from 'lru-cache';

/**
 * A cache of values of people under the names they present (tokens, keys). When it is full, only the least recently
 * used is dropped; the values of one person are found without a scan.
 */
export class CacheByUser<V extends object> {
  private readonly values: LRUCache<string, V>;
  private readonly names = new Map<number, Set<string>>();

  /** `userOf` must always return the same user for a value. */
  constructor(
    max: number,
    private readonly userOf: (value: V) => number,
  ) {
    this.values = new LRUCache({ max, dispose: (value, name) => this.unlist(userOf(value), name) });
  }

  get size(): number {
    return this.values.size;
  }

  get(name: string): V | undefined {
    return this.values.get(name);
  }

  set(name: string, value: V): void {
    this.values.set(name, value); // unlists what it replaces
    const userId = this.userOf(value);
    const known = this.names.get(userId);
    if (known) known.add(name);
    else this.names.set(userId, new Set([name]));
  }

  delete(name: string): void {
    this.values.delete(name);
  }

  clear(): void {
    this.values.clear();
  }

  /** Names of the cached values of a person. */
  namesOf(userId: number): readonly string[] {
    return [...(this.names.get(userId) ?? [])];
  }

  forget(userId: number): void {
    for (const name of this.namesOf(userId)) this.values.delete(name);
  }

  private unlist(userId: number, name: string): void {
    const known = this.names.get(userId);
    if (known?.delete(name) === true && known.size === 0) this.names.delete(userId);
  }
}
