import { GATES, type OutVerdict, type RefusalType } from '@bourse/contract';
import { isClosedByFreeze, type Caller, type CallPolicy } from '@bourse/platform';

/** The settings of rules §15 that open or close gates. */
export interface GateSettings {
  readonly open: boolean;
  readonly needsFund: boolean;
  readonly needsIdentity: boolean;
}

/**
 * The first gate that refuses a call, in the order of api §1.4; null: none. `verdict`: whether the call moves value to
 * another person.
 */
export function gateRefusal(
  caller: Caller,
  policy: CallPolicy,
  settings: GateSettings,
  verdict: OutVerdict,
): { readonly key: string; readonly type?: RefusalType } | null {
  const gates = policy.gates ?? [];
  // Decided by the effects of a call, not by its gates (api §6.17).
  if (isClosedByFreeze(policy, caller.frozen, verdict)) return { key: 'auth.frozen' };
  if ((policy.needsOpen || gates.some((gate) => GATES[gate].isOut)) && !settings.open) return { key: 'noopen' };
  // Every gate includes the trading gate. A call that takes the fund password needs one to be set in any case. The
  // points login has checked the account's password, so its session needs no second one (api §2.9).
  if ((policy.needsFund && caller.kind !== 'points') || (gates.length > 0 && settings.needsFund)) {
    if (!caller.hasFundPassword) return { key: 'fund.notSet' };
    if (caller.fundMustReset) return { key: 'fund.mustReset' };
  }
  if (gates.length > 0 && settings.needsIdentity && caller.reviewStatus !== 2) return { key: 'kyc.required' };
  if (!caller.hasPayment) {
    for (const gate of gates) {
      const { needsPayment, type } = { type: undefined, ...GATES[gate] };
      if (needsPayment) return { key: 'pay.missing', ...(type === undefined ? {} : { type }) };
    }
  }
  return null;
}
