import { randomBytes } from 'node:crypto';

/** Id of a position, a settlement or a transfer: random, so that ids cannot be walked; 63 bits, never 0. */
export const randomId = (): string =>
  (BigInt(`0x${randomBytes(8).toString('hex')}`) & ((1n << 63n) - 1n) || 1n).toString();
