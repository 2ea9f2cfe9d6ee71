import type { RefusalType } from '@bourse/contract';
import { isOpenWhileFrozen, isWithdrawal, type Caller, type CallPolicy, type Gate } from '@bourse/platform';

/** What stands between a caller and a call, in the order of api §1.4. Null: nothing. */
export function gateRefusal(
  caller: Caller,
  policy: CallPolicy,
  settings: { readonly open: boolean },
): { readonly key: string; readonly type?: RefusalType } | null {
  const gates = policy.gates ?? [];
  if (frozen(caller, policy, gates)) return { key: 'auth.frozen' };
  if ((policy.needsOpen || gates.includes('out')) && !settings.open) return { key: 'noopen' };
  if (gates.length > 0 || policy.needsFund) {
    if (!caller.hasFundPassword) return { key: 'fund.notSet' };
    if (caller.fundMustReset) return { key: 'fund.mustReset' };
  }
  if (gates.length > 0 && caller.reviewStatus !== 2) return { key: 'kyc.required' };
  if (!caller.hasPayment) {
    if (gates.includes('c2c')) return { key: 'pay.missing' };
    if (gates.includes('acc')) return { key: 'pay.missing', type: '555' };
  }
  return null;
}

/**
 * A frozen account reads, cancels and signs out, nothing else (api §6.17): judged by what a call may do, not by its
 * gates. A scope closes what it names.
 */
function frozen(caller: Caller, policy: CallPolicy, gates: readonly Gate[]): boolean {
  switch (caller.frozen) {
    case 'none':
      return false;
    case 'all':
      return !isOpenWhileFrozen(policy);
    case 'trade':
      return gates.includes('trade');
    case 'c2c':
      return gates.includes('c2c') || gates.includes('acc');
    case 'withdraw':
      return isWithdrawal(policy);
  }
}
