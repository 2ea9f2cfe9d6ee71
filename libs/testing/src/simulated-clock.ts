import { Clock } from '@bourse/platform';

/** A clock that does not move until the test moves it. Business time and real time differ only by `setOffset`. */
export class SimulatedClock extends Clock {
  private ahead = 0;
  constructor(private at = Date.UTC(2026, 0, 1)) {
    super();
  }
  now(): number {
    return this.at + this.ahead;
  }
  real(): number {
    return this.at;
  }
  offset(): number {
    return this.ahead;
  }
  setOffset(offsetMs: number): void {
    this.ahead = Math.max(this.ahead, offsetMs);
    this.moved();
  }
  /** Moves both times forward. */
  advance(ms: number): void {
    this.at += ms;
  }
}
