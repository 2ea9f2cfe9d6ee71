import { GATES, type Gate, type RefusalType } from '@bourse/contract';
import { isOpenWhileFrozen, isWithdrawal, type Caller, type CallPolicy } from '@bourse/platform';

/** The settings of rules §15 that open or close gates. */
export interface GateSettings {
  readonly open: boolean;
  readonly needsFund: boolean;
  readonly needsIdentity: boolean;
}

/** What stands between a caller and a call, in the order of api §1.4. Null: nothing. */
export function gateRefusal(
  caller: Caller,
  policy: CallPolicy,
  settings: GateSettings,
): { readonly key: string; readonly type?: RefusalType } | null {
  const gates = policy.gates ?? [];
  if (frozen(caller, policy, gates)) return { key: 'auth.frozen' };
  if ((policy.needsOpen || gates.some((gate) => GATES[gate].isOut)) && !settings.open) return { key: 'noopen' };
  // Every gate has that of trading in it. A call that takes the fund password needs one to be set in any case.
  // Who came in by the points login has shown the password of the account, and gives no second one (api §2.9).
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

/**
 * A frozen account reads, cancels and signs out, nothing else (api §6.17): checked by what a call may do, not by its
 * gates. A scope closes what it names.
 */
function frozen(caller: Caller, policy: CallPolicy, gates: readonly Gate[]): boolean {
  switch (caller.frozen) {
    case 'none':
      return false;
    case 'all':
      return !isOpenWhileFrozen(policy);
    default:
      return gates.some((gate) => GATES[gate].closedBy === caller.frozen) || takesWhatIsFrozen(caller, policy);
  }
}

/** Money leaves by other ways than gates, too. */
const takesWhatIsFrozen = (caller: Caller, policy: CallPolicy): boolean =>
  caller.frozen === GATES.out.closedBy && isWithdrawal(policy);
