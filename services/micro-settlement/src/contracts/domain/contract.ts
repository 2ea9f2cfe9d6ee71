import {
  factProfits,
  givenAt,
  judgingTicks,
  medianPrice,
  microResult,
  PERCENT_SCALE,
  winOf,
  type MicroDirection,
  type MicroResult,
} from '@bourse/formulas';
import { percentOf, toUnits, type Units } from '@bourse/money';
import type { Tick } from '../../ticks/domain/tick.js';

/** A contract without an opening tick within this time after its acceptance is void (rules §4). */
export const OPENING_MS = 5_000;

/** Name of the ledger's holds of a contract, the stake's and the house's reserve. */
export const HOLD_PREFIX = 'micro';
export const holdOf = (id: string): string => `${HOLD_PREFIX}:${id}`;

/** The agreed terms of a contract. They never change afterwards, whatever operators change (rules §15). */
export interface Agreement {
  readonly id: string;
  readonly userId: number;
  readonly matchId: number;
  readonly symbol: string;
  readonly priceScale: number;
  readonly currencyId: number;
  readonly currencyName: string;
  /** Decimals of the currency: of all amounts here. */
  readonly scale: number;
  readonly direction: MicroDirection;
  readonly seconds: number;
  readonly stake: bigint;
  readonly fee: bigint;
  /** Percent at PERCENT_SCALE. */
  readonly ratio: bigint;
  /** The policy whose vault it is paid from; null: from the micro account. */
  readonly policyId: string | null;
}

/**
 * `waiting`: the ledger has not decided, no answer shows it. `opening`: accepted, its first tick has not come.
 * `running`: until its expiry. `closed`: booked. On the wire the two in the middle are 1 and the last one is 3.
 */
export type ContractState = 'waiting' | 'opening' | 'running' | 'closed';

/** A contract as it is. Times are business time, ms; null where it has not happened. */
export interface Contract extends Agreement {
  readonly state: ContractState;
  readonly acceptedAt: number | null;
  readonly openTickId: bigint | null;
  readonly openTime: number | null;
  readonly openPrice: string | null;
  readonly expireTime: number | null;
  readonly endTickIds: readonly bigint[];
  readonly endPrice: string | null;
  readonly result: MicroResult | null;
  readonly profits: bigint;
  readonly handledAt: number | null;
}

/** Fee of a stake, rounded up because the user pays it (rules §4). `rate` is percent at PERCENT_SCALE. */
export const microFee = (stake: bigint, rate: bigint): bigint => percentOf(stake, rate, PERCENT_SCALE, 'up');
/** The amount that the house sets aside for a contract: all that it can owe. */
export const reserveOf = ({ stake, ratio }: Pick<Agreement, 'stake' | 'ratio'>): bigint => winOf(stake, ratio);

/**
 * The opening tick: the first whose price was given after the acceptance. `void`: there is none and none will come;
 * null: not known yet. `through` is the result of `knownThrough`.
 */
export function openingOf(acceptedAt: number, ticks: readonly Tick[], through: number): Tick | 'void' | null {
  const last = acceptedAt + OPENING_MS;
  const [first] = ticks
    .filter((tick) => givenAt(tick) > acceptedAt && tick.time <= last)
    .toSorted((a, b) => a.time - b.time);
  // An earlier tick may still be under way until the chain is known up to this one.
  if (first && first.time <= through) return first;
  return through >= last ? 'void' : null;
}

/** How a contract ends. */
export interface Judgement {
  readonly result: MicroResult;
  readonly endPrice: string | null;
  readonly ticks: readonly Tick[];
  /** The effect of the result on the stake; the fee is separate. */
  readonly profits: bigint;
}

/**
 * Judges a running contract by the median of its last ticks; null while one of them may still come. It depends on the
 * agreement and the recorded ticks alone (rules §4).
 */
export function judgementOf(
  contract: Pick<Contract, 'direction' | 'stake' | 'ratio' | 'priceScale' | 'openPrice' | 'expireTime'>,
  ticks: readonly Tick[],
  through: number,
): Judgement | null {
  const { direction, stake, ratio, priceScale, openPrice, expireTime } = contract;
  if (expireTime === null || openPrice === null) throw new Error('invariant: a contract is judged before it is open');
  if (through < expireTime) return null;
  const judging = judgingTicks(ticks, expireTime);
  const units = (price: string): Units => toUnits(price, priceScale);
  const end = medianPrice(judging.map(({ id, price }) => ({ id, price: units(price) })));
  const result = microResult(direction, units(openPrice), end);
  return {
    result,
    endPrice: end === null ? null : judging.find(({ price }) => units(price) === end)!.price,
    ticks: judging,
    profits: factProfits(result, stake, ratio),
  };
}

/** The payout to the person at the end: stake, win, and at a void the fee too. */
export function payoutOf(
  { stake, fee, ratio }: Pick<Agreement, 'stake' | 'fee' | 'ratio'>,
  result: MicroResult,
): bigint {
  if (result === 'win') return stake + reserveOf({ stake, ratio });
  if (result === 'loss') return 0n;
  return result === 'tie' ? stake : stake + fee;
}

/** The effect of a result on the vault of a policy, which counts running stakes and has paid the fee. */
export function vaultChange(
  { stake, fee, ratio }: Pick<Agreement, 'stake' | 'fee' | 'ratio'>,
  result: MicroResult,
): bigint {
  return result === 'void' ? fee : factProfits(result, stake, ratio);
}
