import type { CheckedAccount, WalletLog } from '@bourse/contract';
import { compareDecimals } from '@bourse/money';
import { isDateText, zonedDate, zonedMillis } from '@bourse/ui';

/** Accounts a statement may be narrowed to: the four of the wallet first. */
export const STATEMENT_ACCOUNTS = ['change', 'legal', 'lever', 'micro'] as const;
/** Causes of journals that a person can choose, with their texts; the rows name theirs in the server's words. */
export const CAUSES = {
  trade: 'wallet.causes.trade',
  order: 'wallet.causes.order',
  deposit: 'wallet.causes.deposit',
  withdrawal: 'wallet.causes.withdrawal',
  transfer: 'wallet.causes.transfer',
  lever: 'nav.leverage',
  micro: 'nav.micro',
  insurance: 'nav.insurance',
  deal: 'nav.c2c',
  acceptor: 'nav.acceptors',
  shop: 'nav.shop',
  savings: 'nav.savings',
  points_exchange: 'nav.points',
  rebate: 'nav.profit',
  adjustment: 'wallet.causes.adjustment',
} as const;
/** The cause whose journals only hold funds and return them: the trades of an order are causes of their own. */
const HOLD_CAUSE = 'order';

/** Screens of the cause of a row; `{id}` is its id. A cause without a screen is shown as words alone. */
const HOMES: Readonly<Record<string, string>> = {
  deposit: '/account/coinRecord?tab=deposits',
  withdrawal: '/account/coinRecord?tab=withdrawals',
  transfer: '/transferRecord',
  order: '/account/accountEntrust',
  trade: '/account/accountEntrust',
  lever: '/leverRecord?id={id}',
  micro: '/microReceipt?id={id}',
  savings: '/manageList',
};
export const homeOfCause = (cause: string, id: string): string | undefined =>
  HOMES[cause]?.replace('{id}', encodeURIComponent(id));

/** Periods up to now that one press chooses. */
export const PERIODS = ['all', 'day', 'week', 'month', 'year'] as const;
/** `own`: between the two times that were typed. */
export type Period = (typeof PERIODS)[number] | 'own';
const DAY_MS = 86_400_000;
const PERIOD_DAYS = { day: 1, week: 7, month: 30 } as const;

export interface StatementFilter {
  readonly account: string;
  readonly currency: string;
  readonly cause: string;
  /** `YYYY-MM-DDTHH:mm` in the reader's zone, as a date field gives it. */ readonly from: string;
  readonly to: string;
  readonly period: Period;
  /** Also journals that only hold funds or return them. */
  readonly holds: boolean;
}
export const NO_FILTER: StatementFilter = {
  account: '',
  currency: '',
  cause: '',
  from: '',
  to: '',
  period: 'all',
  holds: false,
};

/** The filter for a period that ends now; the year is that of the calendar, in the reader's zone. */
export function choosePeriod(filter: StatementFilter, period: Period, now: number): StatementFilter {
  const localText = (ms: number): string => zonedDate(ms).toISOString().slice(0, 16);
  switch (period) {
    case 'own':
    case 'all':
      return { ...filter, period, from: '', to: '' };
    case 'year':
      return { ...filter, period, from: `${localText(now).slice(0, 4)}-01-01T00:00`, to: '' };
    default:
      return { ...filter, period, from: localText(now - PERIOD_DAYS[period] * DAY_MS), to: '' };
  }
}

/** The filter with another cause; a cause that only holds funds shows holds. */
export const chooseCause = (filter: StatementFilter, cause: string): StatementFilter => ({
  ...filter,
  cause,
  holds: filter.holds || cause === HOLD_CAUSE,
});

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
  if (!isDateText(local, true)) return undefined;
  return new Date(zonedMillis(`${local}:${seconds}`)).toISOString().slice(0, 19).replace('T', ' ');
}

/** Formats of the bookings of a year, by the names of the programs that import them. */
export const TAX_FORMATS = { koinly: 'Koinly', cointracking: 'CoinTracking', csv: 'CSV' } as const;
export type TaxFormat = keyof typeof TAX_FORMATS;
const TAX_YEARS = 5;
/** Years that can be chosen, the present one first. */
export const taxYears = (year: number): string[] => Array.from({ length: TAX_YEARS }, (_, ago) => String(year - ago));

/** Whether the time span is the wrong way round. */
export const spanIsTurned = ({ from, to }: StatementFilter): boolean =>
  isDateText(from, true) && isDateText(to, true) && from > to;

/** Whether the filter names a span that can be read: no text that is no date, and the start before the end. */
export const isSpanReadable = (filter: StatementFilter): boolean =>
  [filter.from, filter.to].every((text) => text === '' || isDateText(text, true)) && !spanIsTurned(filter);

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
