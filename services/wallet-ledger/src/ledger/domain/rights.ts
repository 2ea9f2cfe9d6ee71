import { isHouse, type Issuer, type Leg, type Posting, type Purse, type Refusal } from './journal.js';

/** Accounts of the house that stand against the world outside, and so may be below zero (rules §1). */
const MAY_GO_NEGATIVE: ReadonlySet<string> = new Set(['h.outside', 'h.clearing', 'h.quota']);
export const mayGoNegative = (account: string): boolean => MAY_GO_NEGATIVE.has(account);

/**
 * Which issuer may take money out of which accounts; what is not here is refused. Lever is debited by the transfer out
 * of it alone as long as nothing is traded on margin.
 */
const MAY_DEBIT: Readonly<Record<Issuer, ReadonlySet<string>>> = {
  'wallet-ledger': new Set(['change', 'legal', 'lever', 'micro']),
  'spot-matching': new Set(['change', 'h.clearing']),
  seed: new Set(['h.outside']),
  'market-data': new Set(),
  auth: new Set(),
  // Deposits and withdrawals as the chains have carried them out; `change` is debited out of the holds of withdrawals
  // alone.
  chain: new Set(['h.outside', 'h.suspense', 'change']),
  // Adjustments and movements between house accounts, each decided by two people (api §2.12).
  operator: new Set([
    'change',
    'legal',
    'lever',
    'micro',
    'h.capital',
    'h.fees',
    'h.lever',
    'h.lever_fund',
    'h.micro',
    'h.savings',
    'h.insurance',
    'h.points',
  ]),
};

/** Facts that the ledger of one partition judges by. */
export interface Territory {
  readonly partition: number;
  ownsUser(user: number): boolean;
  /** Units that no account of a currency reaches: the columns end at 1e20 (invariants §1.1). */
  limitOf(currency: number): bigint;
}

/** What can be said of a posting before looking at any balance. */
export function judgeRights({ issuer, onlyOf, journals }: Posting, territory: Territory): Refusal | null {
  for (const { legs } of journals) {
    for (const leg of legs) {
      const refusal = judgeLeg(leg, issuer, onlyOf, territory);
      if (refusal) return refusal;
    }
  }
  return null;
}

function judgeLeg(
  { from, to, amount }: Leg,
  issuer: Issuer,
  onlyOf: number | null,
  territory: Territory,
): Refusal | null {
  if (!MAY_DEBIT[issuer].has(from.account)) return { code: 'debit_not_allowed', issuer, account: from.account };
  if (onlyOf !== null && from.owner !== onlyOf) return { code: 'foreign_purse', owner: from.owner };
  for (const { owner } of [from, to]) if (!isHere(owner, territory)) return { code: 'foreign_partition', owner };
  if (samePurse(from, to)) return { code: 'legs_meaningless', account: from.account };
  if (amount === 'rest') return from.hold === null ? { code: 'legs_meaningless', account: from.account } : null;
  if (typeof amount === 'bigint') return amount > 0n ? null : { code: 'amount_invalid', amount };
  if (from.hold !== null) return { code: 'legs_meaningless', account: from.account };
  return amount.min > 0n && amount.max >= amount.min ? null : { code: 'amount_invalid', amount: amount.max };
}

const isHere = (owner: number, { partition, ownsUser }: Territory): boolean =>
  isHouse(owner) ? owner === -1 - partition : ownsUser(owner);
const samePurse = (a: Purse, b: Purse): boolean => a.owner === b.owner && a.account === b.account && a.hold === b.hold;
