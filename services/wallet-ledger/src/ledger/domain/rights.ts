import { ACCOUNT_FACTS, ISSUERS, mayLieIn, type DebitRight, type Destination } from '@bourse/events';
import {
  isHouse,
  type Issuer,
  type Journal,
  type Leg,
  type Posting,
  type LegAccount,
  type Refusal,
} from './journal.js';

export { mayGoNegative } from '@bourse/events';

/** Facts about the partition that the rights depend on. */
export interface PartitionScope {
  readonly partition: number;
  ownsUser(user: number): boolean;
  /** Units that no account of a currency reaches: the columns end at 1e20 (invariants §1.1). */
  limitOf(currency: number): bigint;
}

/** Rights of an issuer by debited account, and by state: available or a hold. */
type Compiled = Readonly<Record<DebitRight['state'], ReadonlyMap<string, readonly DebitRight[]>>>;

/** The table's rows by issuer, compiled once: every leg of every journal is checked against them. */
const RIGHTS: ReadonlyMap<Issuer, Compiled> = new Map(
  Object.entries(ISSUERS).map(([issuer, { debits }]) => [
    issuer as Issuer,
    { available: byAccount(debits, 'available'), held: byAccount(debits, 'held') },
  ]),
);

function byAccount(
  debits: readonly DebitRight[],
  state: DebitRight['state'],
): ReadonlyMap<string, readonly DebitRight[]> {
  const rows = new Map<string, DebitRight[]>();
  for (const right of debits)
    if (right.state === state) rows.set(right.account, [...(rows.get(right.account) ?? []), right]);
  return rows;
}

/** The checks of a posting that need no balance (rules §1). Null: no objection. */
export function checkRights({ issuer, onBehalfOf, journals }: Posting, scope: PartitionScope): Refusal | null {
  const rights = RIGHTS.get(issuer);
  for (const journal of journals) {
    for (const [index, leg] of journal.legs.entries()) {
      const refusal = checkDebit(rights, { issuer, onBehalfOf, journal, index, leg }) ?? checkLeg(leg, scope);
      if (refusal) return refusal;
    }
  }
  return null;
}

interface Debit {
  readonly issuer: Issuer;
  readonly onBehalfOf: number | null;
  readonly journal: Journal;
  /** Place of the leg in its journal. */
  readonly index: number;
  readonly leg: Leg;
}

function checkDebit(rights: Compiled | undefined, debit: Debit): Refusal | null {
  const { from } = debit.leg;
  const rows = rights?.[from.hold === null ? 'available' : 'held'].get(from.account) ?? [];
  // Without a row for the account the issuer has no right to it; with one, the account may be another person's.
  let isForeign = rows.length > 0;
  for (const right of rows) {
    if (!isOf(right, from, debit.onBehalfOf)) continue;
    isForeign = false;
    if (isOutOf(right, from) && mayGo(right.to, debit)) return null;
  }
  return isForeign
    ? { code: 'account_not_owned', owner: from.owner }
    : { code: 'debit_not_allowed', issuer: debit.issuer, account: from.account };
}

/** Whether a right covers the accounts of this owner. A command on behalf of one person may debit no other person. */
function isOf({ whose, forCaller }: DebitRight, { owner }: LegAccount, onBehalfOf: number | null): boolean {
  if (isHouse(owner)) return whose === 'house' && (onBehalfOf === null || forCaller === true);
  if (whose === 'house') return false;
  return onBehalfOf === null ? whose === 'any' : owner === onBehalfOf;
}

const isOutOf = ({ hold }: DebitRight, from: LegAccount): boolean =>
  hold === undefined ? from.hold === null : isUnder(from.hold, hold);
const isUnder = (hold: string | null, prefix: string): boolean =>
  hold !== null && hold.length > prefix.length && hold.startsWith(prefix) && hold[prefix.length] === ':';

function mayGo(destination: Destination, debit: Debit): boolean {
  const { from, to } = debit.leg;
  if (destination === 'anywhere') return true;
  if (destination === 'own') return to.owner === from.owner && to.hold === null;
  if ('hold' in destination)
    return (
      to.owner === from.owner &&
      to.account === (destination.account ?? from.account) &&
      isUnder(to.hold, destination.hold)
    );
  if (to.hold !== null || !(destination.accounts as readonly string[]).includes(to.account)) return false;
  return isPayee(debit) && (destination.credited !== true || isCredited(debit));
}

/** A credit to a named account must go to the house, stay with its owner, or come from the house. */
const isPayee = ({ onBehalfOf, leg: { from, to } }: Debit): boolean =>
  isHouse(to.owner) ||
  to.owner === from.owner ||
  (isHouse(from.owner) && (onBehalfOf === null || to.owner === onBehalfOf));

/**
 * Whether the amount of a leg is part of the amounts that earlier legs of its journal have credited to the same
 * account.
 */
function isCredited({ journal, index, leg: { from, currency, amount } }: Debit): boolean {
  if (typeof amount !== 'bigint') return false;
  let credit = 0n;
  for (let at = 0; at < index; at++) {
    const before = journal.legs[at] as Leg;
    if (before.currency !== currency) continue;
    if (isSameAccount(before.to, from)) credit += typeof before.amount === 'bigint' ? before.amount : 0n;
    else if (isSameAccount(before.from, from)) {
      if (typeof before.amount !== 'bigint') return false;
      credit -= before.amount;
    }
  }
  return amount <= credit;
}

function checkLeg({ from, to, currency, amount }: Leg, scope: PartitionScope): Refusal | null {
  const misplaced = checkAccount(from, currency, scope) ?? checkAccount(to, currency, scope);
  if (misplaced) return misplaced;
  if (isSameAccount(from, to)) return { code: 'leg_invalid', account: from.account };
  if (amount === 'rest') return from.hold === null ? { code: 'leg_invalid', account: from.account } : null;
  if (typeof amount === 'bigint') return amount > 0n ? null : { code: 'amount_invalid', amount };
  if (from.hold !== null) return { code: 'leg_invalid', account: from.account };
  return amount.min > 0n && amount.max >= amount.min ? null : { code: 'amount_invalid', amount: amount.max };
}

function checkAccount({ owner, account }: LegAccount, currency: number, scope: PartitionScope): Refusal | null {
  if (!isHere(owner, scope)) return { code: 'foreign_partition', owner };
  if (!isAccountOf(account, owner)) return { code: 'account_unknown', account };
  return mayLieIn(account, currency) ? null : { code: 'currency_misplaced', account, currency };
}

const isAccountOf = (account: string, owner: number): boolean =>
  ACCOUNT_FACTS.get(account)?.owner === (isHouse(owner) ? 'house' : 'user');
const isHere = (owner: number, { partition, ownsUser }: PartitionScope): boolean =>
  isHouse(owner) ? owner === -1 - partition : ownsUser(owner);
const isSameAccount = (a: LegAccount, b: LegAccount): boolean =>
  a.owner === b.owner && a.account === b.account && a.hold === b.hold;
