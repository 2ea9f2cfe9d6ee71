import type { MicroCurrency, MicroSeconds } from '@bourse/contract';
import { COIN_SCALE, feeOf, largestStake, percent, policyStage, winOf, type PolicyTerms } from '@bourse/formulas';
import { compareDecimals, formatTrimmed, toUnits, trimZeros } from '@bourse/money';
import { createTicket } from '../../../core/ticket/create-ticket.js';
import { acceptTyping, toDecimalText } from '../../../core/ticket/typing.js';
import { termsOf } from './insurance.js';

/** 1 up, 2 down, as the call takes it. */
export type Direction = 1 | 2;
/** The choices and typed texts. `type` is the button that was pressed. */
export interface Stake {
  readonly number: string;
  readonly type: Direction;
}
export type StakeAction =
  | { readonly type: 'number' | 'preset'; readonly text: string }
  | { readonly type: 'direction'; readonly direction: Direction }
  | { readonly type: 'reset' };

/** Known limits and balances: undefined while they are not loaded, and then the server alone checks. */
export interface StakeInputs {
  readonly matchId: number;
  readonly currency: MicroCurrency | undefined;
  readonly duration: MicroSeconds | undefined;
  /** The source of stakes: the account, or the vault of an active policy. */
  readonly available: string | undefined;
  /** The market takes contracts. */
  readonly open: boolean;
}

/** Figures before the press, decimal texts; empty while they are unknown. */
export interface StakeSummary {
  readonly fee: string;
  /** The profit of a win on top of the stake, after the fee. */
  readonly win: string;
  /** The cost of a loss: the stake and the fee. */
  readonly lose: string;
  readonly min: string;
  readonly max: string;
}
export interface StakeFault {
  readonly field: 'number';
  readonly key:
    | 'micro.openNum'
    | 'micro.closed'
    | 'micro.noDuration'
    | 'micro.range'
    | 'micro.claimFirst'
    | 'micro.stakeMax'
    | 'balance.insufficient';
  readonly params?: Readonly<Record<string, string>>;
}

const units = (text: string): bigint => toUnits(toDecimalText(text) || '0', COIN_SCALE);

/** The tighter of what the coin and the duration allow (rules §4). */
function stakeRange({ currency, duration }: Pick<StakeInputs, 'currency' | 'duration'>): {
  min: string;
  max: string;
} {
  if (!currency || !duration) return { min: '', max: '' };
  return {
    min: compareDecimals(currency.micro_min, duration.min_money) > 0 ? currency.micro_min : duration.min_money,
    max: compareDecimals(currency.micro_max, duration.max_money) < 0 ? currency.micro_max : duration.max_money,
  };
}

export function summarizeStake(stake: Stake, inputs: StakeInputs): StakeSummary {
  const { currency, duration } = inputs;
  const range = stakeRange(inputs);
  const number = units(stake.number);
  if (!currency || !duration || number === 0n) return { fee: '', win: '', lose: '', ...range };
  const fee = feeOf(number, percent(currency.micro_trade_fee));
  const text = (value: bigint): string => formatTrimmed(value, COIN_SCALE);
  return {
    fee: text(fee),
    win: text(winOf(number, percent(duration.profit_ratio)) - fee),
    lose: text(number + fee),
    ...range,
  };
}

/** The active policy of a coin with its terms; undefined without one. */
function activePolicy(
  currency: MicroCurrency | undefined,
): { amount: bigint; vault: bigint; terms: PolicyTerms } | undefined {
  const policy = currency?.user_insurance;
  const type = currency?.insurance_types.find(({ id }) => id === policy?.insurance_type_id);
  if (!policy || !type) return undefined;
  return { amount: units(policy.amount), vault: units(policy.vault), terms: termsOf(type) };
}

/** The first fault in the order of rules §12.7; the number of open orders, the feed and the house are the server's. */
export function validateStake(stake: Stake, inputs: StakeInputs): StakeFault | undefined {
  const number = units(stake.number);
  const fault = (key: StakeFault['key'], params?: StakeFault['params']): StakeFault => ({
    field: 'number',
    key,
    ...(params && { params }),
  });
  if (number === 0n) return fault('micro.openNum');
  if (!inputs.open) return fault('micro.closed');
  if (!inputs.duration) return fault('micro.noDuration');
  const { min, max } = stakeRange(inputs);
  if (min !== '' && (number < units(min) || number > units(max)))
    return fault('micro.range', { min: trimZeros(min), max: trimZeros(max) });
  const policy = activePolicy(inputs.currency);
  if (policy) {
    if (policyStage(policy.amount, policy.vault, policy.terms) === 'claim') return fault('micro.claimFirst');
    const largest = largestStake(policy.amount, policy.terms);
    if (number > largest) return fault('micro.stakeMax', { max: formatTrimmed(largest, COIN_SCALE) });
  }
  const { fee } = summarizeStake(stake, inputs);
  if (inputs.available !== undefined && number + units(fee) > units(inputs.available))
    return fault('balance.insufficient');
  return undefined;
}

/** The ticket of a seconds contract, in the frame that all tickets share. It is always asked about. */
export const STAKE_TICKET = createTicket({
  reduce: (stake: Stake, action: StakeAction): Stake => {
    switch (action.type) {
      case 'number': {
        const number = acceptTyping(action.text, COIN_SCALE);
        return number === undefined ? stake : { ...stake, number };
      }
      case 'preset':
        return { ...stake, number: action.text };
      case 'direction':
        return { ...stake, type: action.direction };
      case 'reset':
        return { ...stake, number: '' };
    }
  },
  summarize: summarizeStake,
  validate: validateStake,
  fields: ({ number, type }: Stake) => ({ number: toDecimalText(number), type }),
  mustConfirm: () => true,
  sent: { type: 'reset' } satisfies StakeAction as StakeAction,
});
