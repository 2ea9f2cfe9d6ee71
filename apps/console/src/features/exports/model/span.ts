import { isDateText } from '@bourse/ui';
import { firstSecond, lastSecond } from '../../../parts/list-model.js';

const DAY_MS = 86_400_000;

/** Days as `YYYY-MM-DD` in UTC, both included. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** The last seven days, today included: the default of an export. */
export const lastWeek = (now: number): Span => ({ from: dayOf(now - 6 * DAY_MS), to: dayOf(now) });
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Message key of the problem of a span; undefined if there is none. */
export function problemOf({ from, to }: Span): 'act.required' | 'console.exports.backwards' | undefined {
  if (!isDateText(from, false) || !isDateText(to, false)) return 'act.required';
  return from > to ? 'console.exports.backwards' : undefined;
}

/** Fields of the call for a span: from its first to its last second. */
export const fieldsFor = <What extends string>(what: What, { from, to }: Span) => ({
  what,
  from: firstSecond(from),
  to: lastSecond(to),
});
export const fileName = (what: string, { from, to }: Span): string => `${what}-${from}-${to}.csv`;
