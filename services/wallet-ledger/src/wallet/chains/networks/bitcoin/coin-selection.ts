import { maxOf, minOf } from '@bourse/money';
import type { OwnOutput } from '../../application/own-outputs.js';
import { WORTH_FEES } from '../../application/worth-fees.js';

/** Sizes in virtual bytes of the parts of a payment. */
export interface Sizes {
  readonly input: number;
  readonly overhead: number;
  readonly outputs: number;
  readonly change: number;
}
export interface Selection {
  readonly inputs: readonly OwnOutput[];
  readonly fee: bigint;
  /** 0: no change, the rest is part of the fee. */ readonly change: bigint;
}

/**
 * Signed inputs: 68 virtual bytes for a key hash with a witness, 148 without. Signatures are counted at their maximum
 * length.
 */
export const inputSize = (isWitness: boolean): number => (isWitness ? 68 : 148);
/** An output: 8 bytes of amount, one of length, the script. */
export const outputSize = (script: Uint8Array): number => 9 + script.length;
export const OVERHEAD = 11;
/** Nodes do not relay transactions with more inputs. */
export const INPUTS_MAX = 400;
/** How many raised fees the change of a payment should be able to pay. */
const ROOM = 3n;

const feeOf = (bytes: number, rate: bigint): bigint => BigInt(bytes) * rate;

/**
 * Chooses outputs for a payment, in the given order. It first tries a selection whose change could pay `ROOM` raised
 * fees, since a replacement pays from the change; then any selection that suffices. Null when all outputs together are
 * too little. Change below the dust limit is added to the fee.
 */
export function select(
  outputs: readonly OwnOutput[],
  amount: bigint,
  rate: bigint,
  dust: bigint,
  sizes: Sizes,
): Selection | null {
  return take(outputs, amount, rate, dust, sizes, ROOM) ?? take(outputs, amount, rate, dust, sizes, 0n);
}

/** Whether these outputs could pay together, and no one payment can spend as many of them as that takes. */
export function isScattered(
  outputs: readonly OwnOutput[],
  amount: bigint,
  rate: bigint,
  dust: bigint,
  sizes: Sizes,
): boolean {
  const isEnough = take(outputs, amount, rate, dust, sizes, 0n, outputs.length) !== null;
  return isEnough && select(outputs, amount, rate, dust, sizes) === null;
}

/**
 * The most of `wanted` that `select` can choose outputs for, with room for raised fees: outputs after the one that
 * still adds more than its fees are left. 0 when that is not worth the fee, or less than nodes pass on.
 */
export function payable(
  outputs: readonly OwnOutput[],
  wanted: bigint,
  rate: bigint,
  dust: bigint,
  sizes: Sizes,
): bigint {
  let [sum, most] = [0n, 0n];
  for (const [index, { amount }] of outputs.slice(0, INPUTS_MAX).entries()) {
    sum += amount;
    const fee = feeOf(sizes.overhead + (index + 1) * sizes.input + sizes.outputs + sizes.change, rate);
    const left = minOf(wanted, sum - fee * (1n + ROOM) - dust);
    if (left >= maxOf(dust, fee * WORTH_FEES)) most = maxOf(most, left);
  }
  return most;
}

function take(
  outputs: readonly OwnOutput[],
  amount: bigint,
  rate: bigint,
  dust: bigint,
  sizes: Sizes,
  room: bigint,
  most = INPUTS_MAX,
): Selection | null {
  const inputs: OwnOutput[] = [];
  let sum = 0n;
  for (const output of outputs.slice(0, most)) {
    inputs.push(output);
    sum += output.amount;
    const bytes = sizes.overhead + inputs.length * sizes.input + sizes.outputs;
    const withChange = feeOf(bytes + sizes.change, rate);
    if (sum >= amount + withChange * (1n + room) + dust)
      return { inputs, fee: withChange, change: sum - amount - withChange };
    if (room === 0n && sum >= amount + feeOf(bytes, rate)) return { inputs, fee: sum - amount, change: 0n };
  }
  return null;
}
