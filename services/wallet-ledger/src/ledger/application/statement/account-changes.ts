import type { LogRow } from '../ports.js';
import { signedUnits } from '../writer/entries.js';

/** The change of one account by a journal, in units: `held` is the part of `value` that changed the held amount. */
export interface AccountChange {
  readonly account: string;
  readonly currency: number;
  readonly value: bigint;
  readonly held: bigint;
  readonly fee: bigint;
}

/**
 * Sums the lines of one journal by account and currency, fees apart. Accounts that end as they began are left out.
 *
 * @param scaleOf scale of a currency
 */
export function sumChanges(lines: readonly LogRow[], scaleOf: (currency: number) => number): AccountChange[] {
  const sums = new Map<string, AccountChange>();
  for (const { account, currency, state, amount, fee: isFee } of lines) {
    const key = `${account}:${currency}`;
    const units = signedUnits(amount, scaleOf(currency));
    const { value, held, fee } = sums.get(key) ?? { value: 0n, held: 0n, fee: 0n };
    sums.set(
      key,
      isFee
        ? { account, currency, value, held, fee: fee + units }
        : { account, currency, value: value + units, held: state === 'held' ? held + units : held, fee },
    );
  }
  return [...sums.values()].filter(({ value, held, fee }) => value !== 0n || held !== 0n || fee !== 0n);
}
