import type { ServerStatus } from '@bourse/contract';
import { auditWord } from '../../../core/server-status.js';

/** The state of a breaker; `part` when the markets of a product differ. */
export type State = 'normal' | 'part' | 'cancel_only' | 'halted';
/** The exchange in one word. */
export type Whole = 'open' | 'part' | 'stopped' | 'alarm' | 'database' | 'starting';

const STATES: readonly string[] = ['normal', 'cancel_only', 'halted'];
/** A mode that this page does not know yet is no open one. */
const stateOf = (mode: string): State => (STATES.includes(mode) ? (mode as State) : 'halted');

export interface Market {
  readonly symbol: string;
  readonly state: State;
  /** Its own index price is too old to trade on. */
  readonly stale: boolean;
}
/** The markets in the order of their names. */
export const marketsOf = ({ modes, stale_pairs: stale }: Pick<ServerStatus, 'modes' | 'stale_pairs'>): Market[] =>
  Object.entries(modes)
    .map(([symbol, mode]) => ({ symbol, state: stateOf(mode), stale: stale.includes(symbol) }))
    .sort((one, other) => (one.symbol < other.symbol ? -1 : 1));

/** All markets as one product: open, partly open, or as the most open of the stopped ones. */
function spotState(modes: Readonly<Record<string, string>>): State {
  const states = Object.values(modes).map(stateOf);
  if (states.every((state) => state === 'normal')) return 'normal';
  if (states.includes('normal')) return 'part';
  return states.includes('cancel_only') ? 'cancel_only' : 'halted';
}

export interface Product {
  /** `spot`, or the scope of a breaker. */
  readonly name: string;
  readonly state: State;
}
/** The products: spot first, withdrawals last, the others by name. Without markets there is no spot. */
export function productsOf({ modes, breakers }: Pick<ServerStatus, 'modes' | 'breakers'>): Product[] {
  const scopes = Object.entries(breakers).map(([name, mode]) => ({ name, state: stateOf(mode) }));
  return [
    ...(Object.keys(modes).length > 0 ? [{ name: 'spot', state: spotState(modes) }] : []),
    ...scopes.filter(({ name }) => name !== 'withdraw').sort((one, other) => (one.name < other.name ? -1 : 1)),
    ...scopes.filter(({ name }) => name === 'withdraw'),
  ];
}

/** Whether the exchange trades, in one word: the worst that is true. */
export function wholeOf(
  status: Pick<ServerStatus, 'modes' | 'breakers' | 'stale_pairs' | 'database' | 'audit' | 'audit_age_ms'>,
): Whole {
  if (status.database === 'away') return 'database';
  if (auditWord(status) === 'alarm') return 'alarm';
  const markets = marketsOf(status);
  if (markets.length === 0) return 'starting';
  if (markets.every(({ state }) => state !== 'normal')) return 'stopped';
  const isWhole = productsOf(status).every(({ state }) => state === 'normal') && markets.every(({ stale }) => !stale);
  return isWhole ? 'open' : 'part';
}

/** The position of a time between 1 ms and 10 s, each power of ten as wide as the next: 0 to 100. */
export const placeOf = (ms: number): number => Math.min(100, Math.max(0, (Math.log10(Math.max(1, ms)) / 4) * 100));

/** Index prices older than this are too old to trade on (rules §2). */
export const STALE_MS = 5_000;
/** The position of an age on a bar that ends at twice the limit: 0 to 100. */
export const shareOfAge = (ms: number): number => Math.min(100, Math.max(0, (ms / (2 * STALE_MS)) * 100));

/** One question of this page to the exchange; without `tookMs` it got no state. */
export interface Asked {
  readonly at: number;
  readonly tookMs?: number;
}
/** So many are kept, and drawn. */
export const KEPT = 60;
/** The last questions with one more. */
export const withAsked = (all: readonly Asked[], one: Asked): readonly Asked[] => [...all, one].slice(-KEPT);

/** Days of the history. */
export const HISTORY_DAYS = 90;
const DAY_MS = 86_400_000;
/** How a product was on a day: `unknown` before the first record. */
export type DayState = 'unknown' | 'normal' | 'part' | 'halted';
export interface Day {
  /** UTC, as `2026-01-31`. */
  readonly day: string;
  readonly state: DayState;
  readonly limitedSeconds: number;
  readonly downSeconds: number;
}
export interface ProductHistory {
  /** The 90 days up to the last record, oldest first. */
  readonly days: readonly Day[];
  /** Share of the recorded time in which the product was not stopped, in percent, rounded down to two decimals. */
  readonly percent: string;
}

/** The history of a product; null before the first record. */
export function historyOf({ since, until, outages }: ServerStatus['history'], product: string): ProductHistory | null {
  if (since === null || until === null) return null;
  const own = new Map(outages.filter((one) => one.product === product).map((one) => [one.day, one]));
  const first = new Date(since).toISOString().slice(0, 10);
  const days = Array.from({ length: HISTORY_DAYS }, (_, index): Day => {
    const day = new Date(until - (HISTORY_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    const { limited_seconds: limitedSeconds = 0, down_seconds: downSeconds = 0 } = own.get(day) ?? {};
    const known = downSeconds > 0 ? 'halted' : limitedSeconds > 0 ? 'part' : 'normal';
    return { day, state: day < first ? 'unknown' : known, limitedSeconds, downSeconds };
  });
  const down = days.reduce((sum, { downSeconds }) => sum + downSeconds, 0);
  const share = down === 0 ? 1 : Math.max(0, 1 - (down * 1_000) / Math.max(1, until - since));
  return { days, percent: (Math.floor(share * 10_000) / 100).toFixed(2) };
}
