/**
 * The movements of one object's journal; `transition` is the part of its id after the last colon (`credit`, `hold`).
 */
export interface BookedOf {
  readonly transition: string;
  readonly moves: readonly Move[];
}
/** `own` is the account of the object's owner; amounts are signed units of one scale. */
export interface Move {
  readonly account: string;
  readonly state: 'a' | 'h';
  readonly own: boolean;
  readonly currency: number;
  readonly amount: bigint;
}

/** A deposit and its currency; `fee` is the network's fee for a return. */
export interface AuditedDeposit {
  readonly state: 'seen' | 'held' | 'credited' | 'returning' | 'returned';
  readonly currency: number;
  readonly owned: boolean;
  readonly amount: bigint;
  readonly fee: bigint;
}
/** `gone` is the amount that the chain carries: received, rounded down to the chain's decimals. */
export interface AuditedWithdrawal {
  readonly state: 'review' | 'sending' | 'done' | 'failed' | 'cancelled';
  readonly currency: number;
  readonly number: bigint;
  readonly fee: bigint;
  readonly received: bigint;
  readonly gone: bigint;
}
export interface AuditedAdjustment {
  readonly state: 'waiting' | 'posting' | 'approved' | 'rejected';
  readonly currency: number;
  readonly account: string;
  readonly toAccount: string | null;
  readonly amount: bigint;
}
export type PayoutState = 'waiting' | 'signed' | 'done' | 'failed';

type Sums = Readonly<Record<string, bigint>>;

/** The first difference between a deposit and its journals; null: none. */
export function auditDeposit(
  { state, currency, owned, amount, fee }: AuditedDeposit,
  booked: readonly BookedOf[],
): string | null {
  const transitions = namesOf(withoutPartitionChange(booked));
  switch (state) {
    case 'seen':
      return booked.length === 0 ? null : `is not confirmed and is booked (${transitions})`;
    case 'held':
    case 'returning':
      return transitions === 'held'
        ? differs(booked, currency, { 'h.outside': -amount, 'h.suspense': amount })
        : `is held and has the journals (${transitions})`;
    case 'credited':
      if (!owned) return 'is credited without an owner';
      return transitions === 'credit' || transitions === 'credit held'
        ? differs(booked, currency, { 'h.outside': -amount, 'own.change': amount })
        : `is credited and has the journals (${transitions})`;
    case 'returned':
      return transitions === 'held return'
        ? differs(booked, currency, { 'h.outside': -fee, 'h.fees': fee })
        : `is returned and has the journals (${transitions})`;
  }
}

/** The first difference between a withdrawal, its journals and its payment; null: none. */
export function auditWithdrawal(
  { state, currency, number, fee, received, gone }: AuditedWithdrawal,
  booked: readonly BookedOf[],
  payout: PayoutState | null,
): string | null {
  if (fee + received !== number) return 'is not the sum of what goes out and its fee';
  const transitions = namesOf(booked);
  const paid = payout ?? 'not there';
  switch (state) {
    case 'review':
      if (payout !== null) return `is in review and its payment is ${paid}`;
      return transitions === 'hold'
        ? differs(booked, currency, { 'own.change': -number, 'own.change*': number })
        : `is in review and has the journals (${transitions})`;
    case 'sending':
      if (payout !== 'waiting' && payout !== 'signed') return `is being sent and its payment is ${paid}`;
      return transitions === 'hold'
        ? differs(booked, currency, { 'own.change': -number, 'own.change*': number })
        : `is being sent and has the journals (${transitions})`;
    case 'done':
      if (payout !== 'done') return `is done and its payment is ${paid}`;
      return transitions === 'done hold'
        ? differs(booked, currency, { 'own.change': -number, 'h.outside': gone, 'h.fees': number - gone })
        : `is done and has the journals (${transitions})`;
    case 'failed':
      if (payout !== 'failed') return `has failed and its payment is ${paid}`;
      return givenBack(booked, currency, transitions);
    case 'cancelled':
      if (payout !== null) return `is cancelled and its payment is ${paid}`;
      return givenBack(booked, currency, transitions);
  }
}

/** Checks the hold of a withdrawal that was never opened: it must have been released in full. */
export function auditUnopened(booked: readonly BookedOf[]): string | null {
  const currency = booked[0]?.moves[0]?.currency ?? 0;
  return givenBack(booked, currency, namesOf(booked));
}

/**
 * The first difference between an adjustment and its journals; null: none. While `posting`, both outcomes are valid.
 */
export function auditAdjustment(
  { state, currency, account, toAccount, amount }: AuditedAdjustment,
  booked: readonly BookedOf[],
): string | null {
  if (state === 'posting') return null;
  if (state !== 'approved') return booked.length === 0 ? null : `is ${state} and is booked`;
  if (toAccount === null && booked.length !== 1) return `is approved and has ${booked.length} journals`;
  return differs(
    booked,
    currency,
    toAccount === null
      ? { [`own.${account}`]: amount, 'h.capital': -amount }
      : { [account]: -amount, [toAccount]: amount },
  );
}

/** Leaves out the two journals that move a deposit without an owner to the partition of its new owner. */
function withoutPartitionChange(booked: readonly BookedOf[]): readonly BookedOf[] {
  const [out, into] = ['unowned', 'owned'].map((name) => booked.filter(({ transition }) => transition === name));
  return out?.length === 1 && into?.length === 1
    ? booked.filter(({ transition }) => transition !== 'unowned' && transition !== 'owned')
    : booked;
}

const givenBack = (booked: readonly BookedOf[], currency: number, transitions: string): string | null =>
  transitions === 'hold release'
    ? differs(booked, currency, {})
    : `was given back and has the journals (${transitions})`;
const namesOf = (booked: readonly BookedOf[]): string =>
  booked
    .map(({ transition }) => transition)
    .sort()
    .join(' ');

/**
 * Compares the sums that the journals moved with the expected ones; a foreign account or currency is a difference too.
 */
function differs(booked: readonly BookedOf[], currency: number, wanted: Sums): string | null {
  const moved = new Map<string, bigint>();
  for (const { moves } of booked) {
    for (const { account, state, own, currency: coin, amount } of moves) {
      if (coin !== currency) return `is in currency ${currency} and moves currency ${coin}`;
      const owner = account.startsWith('h.') ? '' : own ? 'own.' : 'foreign.';
      const name = `${owner}${account}${state === 'h' ? '*' : ''}`;
      moved.set(name, (moved.get(name) ?? 0n) + amount);
    }
  }
  // A held amount has either gone out or been released.
  for (const name of new Set([...moved.keys(), ...Object.keys(wanted)])) {
    const [is, should] = [moved.get(name) ?? 0n, wanted[name] ?? 0n];
    if (is !== should) return `should have moved ${should} units at ${name} and has moved ${is}`;
  }
  return null;
}
