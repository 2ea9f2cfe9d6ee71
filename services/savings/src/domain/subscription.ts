import { savingsAccrued, savingsCancelFee, savingsEnd, savingsFullDays, savingsStart } from '@bourse/formulas';

/** Name of the ledger's holds of a subscription: the amount of the person and the profit of the house. */
export const HOLD_PREFIX = 'savings';
export const holdOf = (id: string): string => `${HOLD_PREFIX}:${id}`;

/** The agreed terms of a subscription. They never change afterwards, whatever operators change (rules §15). */
export interface Agreement {
  readonly id: string;
  readonly userId: number;
  readonly currencyId: number;
  readonly currencyName: string;
  /** Decimals of the currency: of all amounts here. */
  readonly scale: number;
  readonly amount: bigint;
  /** Days of the term. */
  readonly day: number;
  /** Percent for the whole term, at PERCENT_SCALE. */
  readonly rate: bigint;
  /** Percent of the amount that a cancel costs, at PERCENT_SCALE. */
  readonly cancelRate: bigint;
  /** Interest of the whole term, which the house sets aside. */
  readonly profit: bigint;
}

/**
 * `waiting`: the ledger has not decided, no answer shows it. `accruing`: the amount is held until the end. The other
 * two are ends. On the wire the last three are 1, 2 and 3.
 */
export type SubscriptionState = 'waiting' | 'accruing' | 'matured' | 'cancelled';

/** A subscription as it is. Times are business time, ms; null where it has not happened. */
export interface Subscription extends Agreement {
  readonly state: SubscriptionState;
  readonly createdAt: number | null;
  readonly startAt: number | null;
  readonly endAt: number | null;
  readonly endedAt: number | null;
}
/** A subscription that the ledger has accepted. */
export interface Accepted extends Subscription {
  readonly createdAt: number;
  readonly startAt: number;
  readonly endAt: number;
}

/**
 * The term of a subscription accepted at `at`: it starts with the next midnight UTC, also when accepted at midnight,
 * and ends after `day` whole days (rules §9). `dayMs`: the simulator has shorter days.
 */
export function termFrom(at: number, day: number, dayMs: number): Pick<Accepted, 'startAt' | 'endAt'> {
  const startAt = savingsStart(at, dayMs);
  return { startAt, endAt: savingsEnd(startAt, day, dayMs) };
}

/** The ledger has accepted a subscription. @throws Error when it does not wait. */
export function accepted(subscription: Subscription, at: number, dayMs: number): Accepted {
  if (subscription.state !== 'waiting') throw new Error(`invariant: subscription ${subscription.id} does not wait`);
  return { ...subscription, state: 'accruing', createdAt: at, ...termFrom(at, subscription.day, dayMs) };
}

/** Interest accrued at a time; a cancelled subscription has lost it. */
export function accruedAt(subscription: Accepted, now: number, dayMs: number): bigint {
  const { state, profit, day, startAt } = subscription;
  if (state === 'cancelled') return 0n;
  return state === 'matured' ? profit : savingsAccrued(profit, savingsFullDays(startAt, now, day, dayMs), day);
}

/** The fee of a cancel. */
export const cancelFee = ({ amount, cancelRate }: Pick<Agreement, 'amount' | 'cancelRate'>): bigint =>
  savingsCancelFee(amount, cancelRate);

/**
 * Whether the house may set aside `profit` for one more term of a person. `house`: its interest in the coin, free and
 * reserved; `own`: what the running terms of the person reserve of it. A cancel costs nothing, so without this share
 * one person could keep all interest away from others (rules §9).
 */
export const isWithinShare = (house: bigint, own: bigint, profit: bigint, percentOfHouse: number): boolean =>
  own + profit <= (house * BigInt(percentOfHouse)) / 100n;

/** Returns the subscription cancelled now; null when it has ended, or its end is due and only not booked yet. */
export function cancelled(subscription: Accepted, now: number): Accepted | null {
  const { state, endAt } = subscription;
  return state === 'accruing' && now < endAt ? { ...subscription, state: 'cancelled', endedAt: now } : null;
}

/** Ends a subscription as of its last midnight, also when it is booked later. */
export function matured(subscription: Accepted, now: number): Accepted {
  const { id, state, endAt } = subscription;
  if (state !== 'accruing' || now < endAt)
    throw new Error(`invariant: subscription ${id} matures as ${state} at ${now}`);
  return { ...subscription, state: 'matured', endedAt: endAt };
}
