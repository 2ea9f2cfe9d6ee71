import type { RowOf } from '@bourse/contract';

/** A balance of the house (api §2.12); `held` is reserved and cannot be moved. */
export type HouseRow = RowOf<'GET /api/admin/house'>;

/** Accounts of the house, in the order of rules §1. */
export const HOUSE_ACCOUNTS = [
  'h.capital',
  'h.fees',
  'h.lever',
  'h.lever_fund',
  'h.micro',
  'h.savings',
  'h.insurance',
  'h.points',
  'h.outside',
  'h.clearing',
  'h.suspense',
  'h.quota',
] as const;
/** Accounts that operators move money between; the others balance partitions, deposits or quotas. */
export const FUNDED: readonly string[] = HOUSE_ACCOUNTS.filter(
  (account) => account !== 'h.clearing' && account !== 'h.suspense' && account !== 'h.quota',
);

/** A movement of the house among the adjustments: `user_id` is 0, and `account` names both sides (api §6.4). */
export type Movement = RowOf<'GET /api/admin/adjustments'>;

/** Both sides of a movement of the house; undefined for an adjustment of a person. */
export function sidesOf({
  user_id: user,
  account,
}: Pick<Movement, 'user_id' | 'account'>): { readonly from: string; readonly to: string } | undefined {
  const [from, to] = account.split('>');
  return user === 0 && from !== undefined && to !== undefined ? { from, to } : undefined;
}

/** Rows of one account or coin; without a filter all of them. */
export const narrowed = (rows: readonly HouseRow[], account: string, currency: string): readonly HouseRow[] =>
  rows.filter(
    (row) =>
      (account === '' || row.account === account) &&
      (currency === '' || row.currency.toLowerCase() === currency.trim().toLowerCase()),
  );

/** Whether assets equal liabilities plus own money: `difference` is zero, with any number of decimals. */
export const isEven = (difference: string): boolean => /^-?0(\.0+)?$/.test(difference);
