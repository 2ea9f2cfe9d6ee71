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
  /** Time by which sessions and codes age, ms: real time, unless a demo install has moved `all` its clocks. */
  sessions(): number { return this.real() + this.sessionAhead; }
  /** Moves the age of sessions and codes forward, never back. */
  setSessionOffset(offsetMs: number): void { this.sessionAhead = Math.max(this.sessionAhead, offsetMs); }
}

export class SystemClock extends Clock {
  private ahead = 0;
  now(): number { return Date.now() + this.ahead; }
  real(): number { return Date.now(); }
  offset(): number { return this.ahead; }
  setOffset(offsetMs: number): void { this.ahead = Math.max(this.ahead, offsetMs); }
}

/** Time text of the contract: `YYYY-MM-DD HH:mm:ss` in UTC, empty for what has not happened (api §1.6). */
export function timeText(at: number | Date | null | undefined): string {
  if (at === null || at === undefined) return '';
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
