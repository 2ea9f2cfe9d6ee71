import { REBATE_CAUSE, type FeePaid } from '@bourse/events';
import { formatUnits } from '@bourse/money';
import type { NamedJournal } from './entries.js';
import { isHouse, type Entry } from '../../domain/journal.js';

/** The house's account of fees. */
const FEES = 'h.fees';

interface PayerSum {
  readonly payer: number;
  readonly currency: number;
  readonly units: bigint;
}

/**
 * Fees that a journal has moved between people and `h.fees`, one entry per payer and currency, at the scale of the
 * currency [TEAM-003]. A fee returned to a person is negative; rebates are paid out of fees and are not fees. `at` is
 * business time.
 */
export function feesOf(
  { id, causeType }: NamedJournal,
  entries: readonly Entry[],
  scaleOf: (currency: number) => number,
  at: number,
): FeePaid[] {
  if (causeType === REBATE_CAUSE) return [];
  let sums: Map<string, PayerSum> | undefined;
  // A leg leaves two lines: its debit and its credit.
  for (let line = 0; line + 1 < entries.length; line += 2) {
    const [from, to] = [entries[line] as Entry, entries[line + 1] as Entry];
    const payer = to.account === FEES ? from.owner : from.account === FEES ? to.owner : undefined;
    if (payer === undefined || isHouse(payer)) continue;
    const key = `${payer}.${to.currency}`;
    sums ??= new Map<string, PayerSum>();
    const before = sums.get(key)?.units ?? 0n;
    const units = before + (to.account === FEES ? to.amount : from.amount);
    sums.set(key, { payer, currency: to.currency, units });
  }
  return [...(sums?.values() ?? [])]
    .filter(({ units }) => units !== 0n)
    .map(({ payer, currency, units }) => ({
      journal: id,
      payer,
      currency,
      amount: formatUnits(units, scaleOf(currency)),
      cause: causeType,
      at,
    }));
}
