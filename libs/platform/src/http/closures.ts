import {
  FREEZE_SCOPES,
  freezesOut,
  GATES,
  isWithdrawal,
  OUT_BREAKER,
  outRefusal,
  type FreezeScope,
  type OutVerdict,
} from '@bourse/contract';
import { timeText } from '../clock.js';
import type { CallPolicy } from './call.js';
import type { CallContext } from './context.js';
import { Refused } from './refused.js';
import { Unavailable } from './unavailable.js';

/* Freezes, breakers and alarms of the auditors that close a call. The edge and the documents use the same rules. */

/** Whether an account that is frozen for everything may make this call (api §6.17). */
export const isOpenWhileFrozen = ({ method, whileFrozen }: CallPolicy): boolean => whileFrozen ?? method === 'GET';

/** Whether a freeze of this scope closes a call. `verdict`: whether the call moves value to another person. */
export function isClosedByFreeze(policy: CallPolicy, scope: FreezeScope, verdict: OutVerdict): boolean {
  if (scope === 'none') return false;
  if (scope === 'all') return !isOpenWhileFrozen(policy);
  return (
    (policy.gates ?? []).some((gate) => GATES[gate].closedBy === scope) || (verdict === 'yes' && freezesOut(scope))
  );
}

/** Scopes of the breakers that close a call. */
export function breakersOf({ breaker }: CallPolicy, verdict: OutVerdict): readonly string[] {
  const own = breaker === undefined ? [] : [breaker];
  return verdict === 'yes' && breaker !== OUT_BREAKER ? [...own, OUT_BREAKER] : own;
}

/** Whether a call is refused while one of its breakers is in this mode. */
export const isClosedByMode = ({ cancels }: CallPolicy, scope: string, mode: string): boolean =>
  mode === 'halted' || (mode !== 'normal' && (cancels !== true || scope === OUT_BREAKER));

/**
 * Whether a call is refused while an alarm of the auditors is raised (invariants §3): calls that move money are.
 * Cancels, calls that move nothing and reads are not.
 */
export const waitsForAuditors = (policy: CallPolicy): boolean =>
  policy.money === true && policy.auth !== 'operator' && policy.movesNothing !== true && !isOpenWhileFrozen(policy);

/** The conditions that close a call, as the interface documents state them. */
export interface Closures {
  /** Whether it moves value to another person: then a block, a freeze and a breaker of withdrawals close it as well. */
  readonly another_person: 'always' | 'never' | 'object' | `${string}=${string}`;
  readonly freezes: readonly FreezeScope[];
  readonly breakers: readonly string[];
  /** Only `halted` of its breakers closes it. */
  readonly halted_only: boolean;
  readonly audit_alarm: boolean;
}

/** Reads the conditions that close a call from its policy. */
export function closuresOf(policy: CallPolicy): Closures {
  const { movesOut } = policy;
  const isOut = isWithdrawal(policy);
  const verdict: OutVerdict = isOut ? 'yes' : 'no';
  return {
    another_person: isOut
      ? 'always'
      : movesOut === undefined
        ? 'never'
        : movesOut === 'object'
          ? 'object'
          : `${movesOut.field}=${movesOut.value}`,
    freezes: FREEZE_SCOPES.filter((scope) => isClosedByFreeze(policy, scope, verdict)),
    breakers: breakersOf(policy, verdict),
    halted_only: policy.cancels === true,
    audit_alarm: waitsForAuditors(policy),
  };
}

/**
 * For services, where a call moves coins of its caller to another person. `begunAt`: when that was agreed (business
 * time, ms); null: it begins now. @throws Refused `auth.frozen`, `market.paused`, `wallet.blocked` {until}; Unavailable
 * when the edge has not sent `outStops`.
 */
export function refuseOut({ outStops }: Pick<CallContext, 'outStops'>, begunAt: number | null, now: number): void {
  if (outStops === undefined) throw new Unavailable('the edge has sent no stops of the caller');
  const refusal = outRefusal(outStops, begunAt, now);
  if (refusal === null) return;
  throw new Refused(refusal.key, refusal.key === 'wallet.blocked' ? { until: timeText(refusal.until) } : {});
}
