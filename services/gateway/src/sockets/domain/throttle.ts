/** Admits at most `count` in each window of `windowMs`; the caller drops what is refused. */
export class Throttle {
  private from = -Infinity;
  private used = 0;
  constructor(
    private readonly count: number,
    private readonly windowMs = 1_000,
  ) {}

  admit(now: number): boolean {
    if (now - this.from >= this.windowMs) {
      this.from = now;
      this.used = 0;
    }
    if (this.used >= this.count) return false;
    this.used += 1;
    return true;
  }
}

/** Holds back the newest of a value until it is due: at most one per `everyMs`. */
export class Latest<V> {
  private waiting: V | undefined;
  private sentAt = -Infinity;
  constructor(private readonly everyMs: number) {}

  offer(value: V): void {
    this.waiting = value;
  }

  /**
   * The value if it is due now, once. A tenth of the interval is tolerated, so that a 100 ms tick does not halve the
   * rate.
   */
  take(now: number): V | undefined {
    if (this.waiting === undefined || now - this.sentAt < this.everyMs * 0.9) return undefined;
    const value = this.waiting;
    this.waiting = undefined;
    this.sentAt = now;
    return value;
  }
}
