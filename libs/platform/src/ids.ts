import { randomBytes, randomFillSync } from 'node:crypto';

/** Number of ids per draw. */
const DRAWN = 128;
const BITS = (1n << 63n) - 1n;

/** An id that cannot be enumerated: random decimal text of 63 bits, never 0. */
export const randomId = (): string => idOf(BigInt(`0x${randomBytes(8).toString('hex')}`));

/** Draws ids as `randomId` does. It is a port, so that tests can count ids up. */
export abstract class Ids {
  abstract next(): string;
}

/** Draws them by the hundred: a draw costs much the same for one and for many. */
export class RandomIds extends Ids {
  private readonly drawn = new BigUint64Array(DRAWN);
  private at = DRAWN;

  next(): string {
    if (this.at === DRAWN) {
      randomFillSync(this.drawn);
      this.at = 0;
    }
    return idOf(this.drawn[this.at++] as bigint);
  }
}

const idOf = (bits: bigint): string => (bits & BITS || 1n).toString();
