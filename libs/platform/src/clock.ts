export { writtenTime as timeText } from '@bourse/contract';

/** Two clocks (architecture §10): business time may be moved forward in dev; real time never follows it. */
export abstract class Clock {
  /** Business time, ms: deadlines, day changes, cool-offs, the feed. */
  abstract now(): number;
  /** Real time, ms: leases, `valid_until`, sessions, rates, signatures. */
  abstract real(): number;
  /** How far business time is ahead of real time. */
  abstract offset(): number;
  /** Moves business time forward, never back. */
  abstract setOffset(offsetMs: number): void;
  private sessionAhead = 0;
  private readonly listeners = new Set<() => void>();
  /** Calls back whenever business time was moved, until the returned function is called. */
  onMoved(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  /** Overridden by clocks whose business time can be moved. */
  protected moved(): void {
    for (const listener of [...this.listeners]) listener();
  }
  /** Time by which sessions and codes age, ms: real time, unless a demo install has moved `all` its clocks. */
  sessions(): number {
    return this.real() + this.sessionAhead;
  }
  /** Moves the age of sessions and codes forward, never back. */
  setSessionOffset(offsetMs: number): void {
    this.sessionAhead = Math.max(this.sessionAhead, offsetMs);
  }
}

/**
 * Real time that passes evenly: it starts at the wall clock's, is set to the database's as soon as that is known
 * (`correct`), and runs by the monotonic clock. A change or an error of the wall clock has no effect here
 * (invariants §2.6).
 */
export class SystemClock extends Clock {
  private ahead = 0;
  private start = Date.now() - performance.now();
  now(): number {
    return this.real() + this.ahead;
  }
  real(): number {
    return Math.floor(this.start + performance.now());
  }
  /** Sets the real time, from a better source. */
  correct(realMs: number): void {
    this.start = realMs - performance.now();
  }
  /** How far the machine's wall clock is ahead of real time. */
  wallAhead(): number {
    return Date.now() - this.real();
  }
  offset(): number {
    return this.ahead;
  }
  setOffset(offsetMs: number): void {
    if (offsetMs <= this.ahead) return;
    this.ahead = offsetMs;
    this.moved();
  }
}
