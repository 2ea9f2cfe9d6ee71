import { DAY } from './period.js';

const dayOf = (at: number): number => Math.floor(at / DAY);

/**
 * How many trades a pair has had since midnight (UTC), by their numbers: these have no gaps, so that a trade that was
 * not seen in passing counts too. Times are ms of the business clock.
 */
export class DayCount {
  private constructor(
    private day: number,
    /** Number of the last trade before that day. */
    private before: number,
    private last: number,
  ) {}

  /** @param before number of the last trade before the day of `now` @param last number of the newest trade */
  static startingAt(now: number, before: number, last: number): DayCount {
    return new DayCount(dayOf(now), before, last);
  }

  add(sequence: number, at: number): void {
    if (dayOf(at) > this.day) {
      this.day = dayOf(at);
      this.before = sequence - 1;
    }
    if (sequence > this.last) this.last = sequence;
  }

  /** Trades of the day of `now`. */
  count(now: number): number {
    return dayOf(now) === this.day ? this.last - this.before : 0;
  }
}
