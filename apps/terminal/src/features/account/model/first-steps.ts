import type { Center, UserInfo, WalletList } from '@bourse/contract';

type StepState = 'open' | 'waiting' | 'done';
export interface Step {
  readonly id: 'fund' | 'identity' | 'deposit' | 'trade';
  readonly state: StepState;
  /** Screen of the step. */
  readonly to: string;
}

const REVIEW: readonly StepState[] = ['open', 'waiting', 'done'];

/** The steps of a new account up to its first order, in that order. A step of unknown state counts as open. */
export function firstSteps(known: {
  info: Pick<UserInfo, 'has_fund_password'> | undefined;
  center: Pick<Center, 'review_status'> | undefined;
  wallet: Pick<WalletList, 'list'> | undefined;
  hasOrder: boolean;
}): readonly Step[] {
  const funded = known.wallet?.list.some((row) => /[1-9]/.test(row.balance + row.lock_balance)) === true;
  return [
    { id: 'fund', state: known.info?.has_fund_password === 1 ? 'done' : 'open', to: '/bindmpwd' },
    { id: 'identity', state: REVIEW[known.center?.review_status ?? 0] ?? 'open', to: '/account/authentication' },
    { id: 'deposit', state: funded ? 'done' : 'open', to: '/account/rechargeMoney' },
    { id: 'trade', state: known.hasOrder ? 'done' : 'open', to: '/dealCenter' },
  ];
}
