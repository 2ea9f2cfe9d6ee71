import { divide } from '@bourse/money';
import { DAY, MINUTE } from './period.js';

interface Bucket {
  readonly minute: number;
  sum: bigint;
  count: bigint;
}

/**
 * The mean over time of prices that were seen in the last 24 hours, for a source without volume. Each minute with a
 * price counts once, however many prices it had: at most 1,440 numbers are kept. Prices in any one unit.
 */
export class TimeMean {
  private readonly ended: { readonly minute: number; readonly mean: bigint }[] = [];
  private sum = 0n;
  private open: Bucket | null = null;

  /** A clock that is set back restarts the mean: prices later than now are dropped. */
  note(now: number, price: bigint): void {
    const minute = Math.floor(now / MINUTE) * MINUTE;
    if (this.open && minute < this.open.minute) {
      this.ended.length = 0;
      this.sum = 0n;
      this.open = null;
    }
    if (this.open && minute > this.open.minute) {
      const mean = meanOf(this.open);
      this.ended.push({ minute: this.open.minute, mean });
      this.sum += mean;
      this.open = null;
    }
    this.open ??= { minute, sum: 0n, count: 0n };
    this.open.sum += price;
    this.open.count += 1n;
  }

  /** Null when nothing was seen in the 24 hours before `now`. */
  at(now: number): bigint | null {
    let gone = 0;
    while (gone < this.ended.length && this.ended[gone]!.minute < now - DAY) this.sum -= this.ended[gone++]!.mean;
    if (gone > 0) this.ended.splice(0, gone);
    const open = this.open && this.open.minute >= now - DAY ? meanOf(this.open) : null;
    const count = BigInt(this.ended.length) + (open === null ? 0n : 1n);
    return count === 0n ? null : divide(this.sum + (open ?? 0n), count, 'half_up');
  }
}

const meanOf = ({ sum, count }: Bucket): bigint => divide(sum, count, 'half_up');
