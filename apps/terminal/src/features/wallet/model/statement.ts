import type { CheckedAccount, WalletLog } from '@bourse/contract';
import { compareDecimals } from '@bourse/money';
import { zonedMillis } from '@bourse/ui';

/** Accounts a statement may be narrowed to: the four of the wallet first. */
export const STATEMENT_ACCOUNTS = ['change', 'legal', 'lever', 'micro'] as const;
/** Causes of bookings that a person can choose; the rows name theirs in the server's words. */
export const CAUSES = ['deposit', 'withdrawal', 'transfer', 'order', 'trade', 'adjustment'] as const;

/** Screens of the cause of a row. A cause without a screen is shown as words alone. */
const HOMES: Readonly<Record<string, string>> = {
  deposit: '/account/coinRecord?tab=deposits',
  withdrawal: '/account/coinRecord?tab=withdrawals',
  transfer: '/transferRecord',
  order: '/account/accountEntrust',
  trade: '/account/accountEntrust',
  spot_order: '/account/accountEntrust',
  spot_trade: '/account/accountEntrust',
};
export const homeOfCause = (cause: string): string | undefined => HOMES[cause];

export interface StatementFilter {
  readonly account: string;
  readonly currency: string;
  readonly cause: string;
  /** `YYYY-MM-DDTHH:mm` in the reader's zone, as a date field gives it. */ readonly from: string;
  readonly to: string;
}
export const NO_FILTER: StatementFilter = { account: '', currency: '', cause: '', from: '', to: '' };

/** The filter as the calls want it; times go as UTC text, the minute of `to` belongs to it. */
export function filterFields({
  account,
  currency,
  cause,
  from,
  to,
}: StatementFilter): Record<string, string | undefined> {
  return {
    account: account || undefined,
    currency: currency || undefined,
    cause_type: cause || undefined,
    from: utcText(from, '00'),
    to: utcText(to, '59'),
  };
}

/** A date and time of a field, in the reader's zone, as the contract's UTC text. Undefined for a half-typed one. */
export function utcText(local: string, seconds: string): string | undefined {
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local) ? zonedMillis(`${local}:${seconds}`) : NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** Formats of the bookings of a year, by the names of the programs that import them. */
export const TAX_FORMATS = { koinly: 'Koinly', cointracking: 'CoinTracking', csv: 'CSV' } as const;
export type TaxFormat = keyof typeof TAX_FORMATS;
const TAX_YEARS = 5;
/** Years that can be chosen, the present one first. */
export const taxYears = (year: number): string[] => Array.from({ length: TAX_YEARS }, (_, ago) => String(year - ago));

/** Whether the time span is the wrong way round. */
export const spanIsTurned = ({ from, to }: StatementFilter): boolean => from !== '' && to !== '' && from > to;

/** Whether an account's balance equals the sum of its journals, computed in the browser. */
export const accountHolds = ({ balance, sum }: CheckedAccount): boolean => compareDecimals(balance, sum) === 0;

/** Name of the file that is saved: it says what it holds. */
export function fileName(filter: StatementFilter, today: string): string {
  return (
    ['statement', filter.account, filter.from.slice(0, 10), filter.to.slice(0, 10) || today].filter(Boolean).join('-') +
    '.csv'
  );
}

export const stateKey = (row: Pick<WalletLog, 'state'>): string =>
  row.state === 'held' ? 'wallet.frozen' : 'wallet.available';
