import { GATES, OUT_BREAKER, type FreezeScope, type Gate } from './gates.js';

/* Whether a call moves value of its caller to another person, and the stops that close it (rules §8.4). */

/**
 * How a call that is no withdrawal may move coins of its caller to another person: by the value of one of its fields,
 * or by the object that it names (`object`: the service that owns the ad or deal decides).
 */
export type MovesOut = 'object' | { readonly field: string; readonly value: string };
/** The parts of a call that decide whether it moves value to another person. */
export interface OutCall {
  readonly gates?: readonly Gate[];
  readonly rate?: string;
  readonly breaker?: string;
  readonly movesOut?: MovesOut;
}
/** `object`: only the service that owns the object can decide. */
export type OutVerdict = 'yes' | 'no' | 'object';

/** Whether a call takes money out of the exchange, or begins to. */
export const isWithdrawal = ({ gates = [], rate, breaker }: OutCall): boolean =>
  gates.some((gate) => GATES[gate].isOut) || rate === 'withdraw' || breaker === OUT_BREAKER;

/** Whether a call, with these fields, moves value of its caller to another person. */
export function outVerdict(call: OutCall, fields: Readonly<Record<string, unknown>>): OutVerdict {
  if (isWithdrawal(call)) return 'yes';
  const { movesOut } = call;
  if (movesOut === undefined) return 'no';
  if (movesOut === 'object') return 'object';
  return fields[movesOut.field] === movesOut.value ? 'yes' : 'no';
}
/** Whether some call of this kind moves value to another person. */
export const mayMoveOut = (call: OutCall): boolean => isWithdrawal(call) || call.movesOut !== undefined;

/**
 * The stops that keep a person's money in, each with its start (business time, ms; 0: not known); null: it does not
 * apply.
 */
export interface OutStops {
  /** A freeze with scope `withdraw` or `all`. */
  readonly frozenSince: number | null;
  /** The breaker `withdraw`. */
  readonly pausedSince: number | null;
  /** The block after a change of credentials or contacts. */
  readonly blocked: { readonly since: number; readonly until: number } | null;
}
export const NO_OUT_STOPS: OutStops = { frozenSince: null, pausedSince: null, blocked: null };
/** Whether a freeze of this scope keeps money in. */
export const freezesOut = (scope: FreezeScope): boolean => scope === 'all' || scope === GATES.out.closedBy;

export type OutRefusal =
  | { readonly key: 'auth.frozen' | 'market.paused' }
  | { readonly key: 'wallet.blocked'; readonly until: number };

/**
 * The reason for refusing, at `now`, to move value to another person; null: none. `begunAt`: when the movement was
 * agreed; a stop that began later lets it be finished. A null `begunAt`: the movement begins with this call.
 */
export function outRefusal(stops: OutStops, begunAt: number | null, now: number): OutRefusal | null {
  const closes = (since: number | null): boolean => since !== null && (begunAt === null || begunAt >= since);
  if (closes(stops.frozenSince)) return { key: 'auth.frozen' };
  if (closes(stops.pausedSince)) return { key: 'market.paused' };
  const { blocked } = stops;
  if (blocked !== null && blocked.until > now && closes(blocked.since))
    return { key: 'wallet.blocked', until: blocked.until };
  return null;
}
