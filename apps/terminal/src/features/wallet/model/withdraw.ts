import {
  SEED_NETWORKS,
  type BoundAddress,
  type TypeData,
  type Withdrawal,
  type WithdrawalState,
} from '@bourse/contract';
import { chargeOf, COIN_SCALE } from '@bourse/formulas';
import { compareDecimals, decimals, formatUnits, toUnits } from '@bourse/money';
import { amountToSend } from './wallet.js';

/** Latin letters or digits, exactly six (rules 8.6). */
const FUND_PASSWORD = /^[A-Za-z0-9]{6}$/;

export interface Cost {
  readonly number: string;
  readonly fee: string;
  readonly received: string;
}

/**
 * The cost by the server's rules: a fee of `number × rate %` up to eight decimals, and of the rest the part that the
 * network can carry (rules 8.4). Undefined for no amount.
 */
export function costOf(typed: string, { id, rate }: Pick<TypeData, 'id' | 'rate'>): Cost | undefined {
  const number = amountToSend(typed);
  if (number === '') return undefined;
  const { fee, received } = chargeOf(toUnits(number, COIN_SCALE), toUnits(rate, decimals(rate)), decimals(rate), {
    scale: COIN_SCALE,
    networkScale: SEED_NETWORKS.find((network) => network.id === id)?.chainScale ?? COIN_SCALE,
  });
  return {
    number,
    fee: formatUnits(fee, COIN_SCALE),
    received: formatUnits(received < 0n ? 0n : received, COIN_SCALE),
  };
}

export interface WithdrawFields {
  readonly address: string;
  readonly amount: string;
  readonly memo: string;
  readonly password: string;
  readonly totp: string;
}
export interface WithdrawRules {
  readonly network: TypeData | undefined;
  readonly memo: boolean;
  readonly totp: boolean;
  readonly available: string;
}
export type WithdrawProblems = Partial<Record<'address' | 'amount' | 'memo' | 'password' | 'totp', string>>;

/**
 * Text keys of what is wrong, in the order of rules §12: address, quantity, minimum, memo, fund password,
 * authenticator, balance.
 */
export function withdrawProblems(
  { address, amount, memo, password, totp }: WithdrawFields,
  rules: WithdrawRules,
): WithdrawProblems {
  const problems: WithdrawProblems = {};
  const number = amountToSend(amount);
  if (address.trim() === '') problems.address = 'wallet.addressRequired';
  if (number === '') problems.amount = 'wallet.numberRequired';
  else if (rules.network && compareDecimals(number, rules.network.min_number) < 0) problems.amount = 'wallet.lessMin';
  else if (compareDecimals(number, rules.available) > 0) problems.amount = 'balance.insufficient';
  if (rules.memo && memo.trim() === '') problems.memo = 'wallet.memoRequired';
  if (!FUND_PASSWORD.test(password)) problems.password = 'fund.format';
  if (rules.totp && !/^\d{6}$/.test(totp.trim())) problems.totp = 'login.totpRequired';
  return problems;
}

/** Bound addresses that the chosen network can pay to, newest first as the server lists them. */
export const addressesFor = (bound: readonly BoundAddress[], network: TypeData | undefined): BoundAddress[] =>
  bound.filter((address) => network === undefined || address.type === network.id);

/** Milliseconds until a bound address may be used; 0 when it may be. `now` is the exchange's clock. */
export function coolingFor(address: Pick<BoundAddress, 'usable_at'>, now: number): number {
  return address.usable_at === '' ? 0 : Math.max(0, Date.parse(`${address.usable_at.replace(' ', 'T')}Z`) - now);
}

type StepState = 'done' | 'now' | 'next' | 'stopped';
export interface Step {
  readonly id: 'review' | 'sending' | 'done' | 'failed' | 'cancelled';
  readonly state: StepState;
}

/** The way of a withdrawal as steps: review → sending → done; a failed or cancelled one ends where it ended. */
export function stepsOf(state: WithdrawalState): Step[] {
  if (state === 'cancelled')
    return [
      { id: 'review', state: 'done' },
      { id: 'cancelled', state: 'stopped' },
    ];
  if (state === 'failed')
    return [
      { id: 'review', state: 'done' },
      { id: 'sending', state: 'done' },
      { id: 'failed', state: 'stopped' },
    ];
  const order = ['review', 'sending', 'done'] as const;
  const at = order.indexOf(state);
  return order.map((id, index) => ({
    id,
    state: index < at || state === 'done' ? 'done' : index === at ? 'now' : 'next',
  }));
}

/** Whether a list of withdrawals is still moving, so that it is worth asking again soon. */
export const moving = (rows: readonly Pick<Withdrawal, 'state'>[]): boolean =>
  rows.some(({ state }) => state === 'review' || state === 'sending');
