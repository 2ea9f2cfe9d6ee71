import { NO_BUDGET } from './book.js';

/**
 * Quote money inside the book: ticks × lots, up to 2^84, as two float64 limbs `high × 2^44 + low` with `low` below
 * 2^44. Every intermediate value stays below 2^53, so the sums are exact; bigint would allocate in the hot loop.
 */
export const LIMB = 2 ** 44;
const HALF = 2 ** 22;

/** Splits a budget for `Book.market`. @throws RangeError below 0 or above the range of two limbs. */
export function toLimbs(amount: bigint): readonly [high: number, low: number] {
  if (amount < 0n || amount >= 1n << 96n) throw new RangeError(`budget ${amount} is outside 0..2^96`);
  return [Number(amount >> 44n), Number(amount & ((1n << 44n) - 1n))];
}

/** A budget that a book spends from. One object per book, reused by every command. */
export class Budget {
  private high = NO_BUDGET;
  private low = 0;
  /** Whether there is a limit. */
  bounded = false;
  // The last product, kept in fields so that no pair is allocated.
  private productHigh = 0;
  private productLow = 0;

  set(high: number, low: number): void {
    this.bounded = high >= 0;
    this.high = high;
    this.low = low;
  }

  /** Lots that can still be paid at a price, at most `want`. */
  affordable(price: number, want: number): number {
    this.multiply(price, want);
    if (this.fits()) return want;
    // The quotient of float64s is at most a few units off; the loops make it exact.
    let lots = Math.min(want, Math.floor((this.high * LIMB + this.low) / price));
    for (this.multiply(price, lots); !this.fits(); this.multiply(price, lots)) lots--;
    for (this.multiply(price, lots + 1); lots < want && this.fits(); this.multiply(price, lots + 1)) lots++;
    return lots;
  }

  /** Pays for a fill that `affordable` allowed. */
  spend(price: number, lots: number): void {
    this.multiply(price, lots);
    this.high -= this.productHigh;
    this.low -= this.productLow;
    if (this.low < 0) {
      this.low += LIMB;
      this.high -= 1;
    }
  }

  private fits(): boolean {
    return this.productHigh < this.high || (this.productHigh === this.high && this.productLow <= this.low);
  }

  private multiply(price: number, lots: number): void {
    const plain = price * lots;
    if (plain <= Number.MAX_SAFE_INTEGER) {
      this.productHigh = Math.floor(plain / LIMB);
      this.productLow = plain - this.productHigh * LIMB;
      return;
    }
    const upper = Math.floor(lots / LIMB);
    const rest = lots - upper * LIMB;
    const middle = Math.floor(rest / HALF);
    const lowest = price * (rest - middle * HALF);
    const centre = price * middle;
    const centreHigh = Math.floor(centre / HALF);
    const lowestHigh = Math.floor(lowest / LIMB);
    let low = lowest - lowestHigh * LIMB + (centre - centreHigh * HALF) * HALF;
    let high = price * upper + centreHigh + lowestHigh;
    if (low >= LIMB) {
      low -= LIMB;
      high += 1;
    }
    this.productHigh = high;
    this.productLow = low;
  }
}
