/** One message of a stream as subscribers got it. */
export interface Sent<P> {
  readonly at: number;
  readonly seq: number;
  readonly prevSeq: number;
  readonly payload: P;
}

/**
 * A numbered stream shared by all its subscribers, with the messages of the last minute for clients that resume
 * (api §4). Numbers rise; a client that holds `prevSeq` may apply the message.
 */
export class NumberedStream<P> {
  private history: Sent<P>[] = [];
  private last = 0;

  constructor(
    private readonly keepMs = 60_000,
    private readonly keepMax = 2_000,
  ) {}

  /** Number of the last message; 0 before the first. */
  get seq(): number {
    return this.last;
  }

  /**
   * Numbers the next message; `wanted` is its number at the source, raised if it would not rise. `build` gets both
   * numbers.
   */
  next(wanted: number, at: number, build: (seq: number, prevSeq: number) => P): P {
    const prevSeq = this.last;
    const seq = Math.max(wanted, prevSeq + 1);
    const payload = build(seq, prevSeq);
    this.last = seq;
    this.history.push({ at, seq, prevSeq, payload });
    if (this.history.length > this.keepMax || this.history[0]!.at < at - 2 * this.keepMs) this.forget(at);
    return payload;
  }

  /** Restarts the stream: only the next snapshot is valid. */
  reset(seq: number): void {
    this.history = [];
    this.last = seq;
  }

  /** Messages after `seq`, or null when some of them are no longer kept. */
  since(seq: number, now: number): readonly P[] | null {
    if (seq === this.last) return [];
    const from = this.history.findIndex((sent) => sent.prevSeq === seq);
    if (from < 0 || this.history[from]!.at < now - this.keepMs) return null;
    return this.history.slice(from).map(({ payload }) => payload);
  }

  /** The newest messages, newest first. */
  newest(count: number): readonly P[] {
    return this.history
      .slice(-count)
      .reverse()
      .map(({ payload }) => payload);
  }

  private forget(now: number): void {
    const first = this.history.findIndex((sent) => sent.at >= now - this.keepMs);
    this.history = this.history.slice(Math.max(first, this.history.length - this.keepMax, 0)).slice(-this.keepMax);
  }
}
