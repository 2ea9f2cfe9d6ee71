import type { Acceptor, AcceptorDeal, AcceptorInfo, Way } from '@bourse/contract';
import { COIN_SCALE, HUNDRED_PERCENT, percent, PERCENT_SCALE } from '@bourse/formulas';
import { compareDecimals, divide, formatUnits, percentOf, rescale, toUnits } from '@bourse/money';
import { toDecimalText } from '../../../core/ticket/typing.js';
import type { Problems } from '../../../forms/problems.js';

/** `buy` is a deposit: fiat is paid, coins come. `sell` is a withdrawal: coins go, fiat is paid out. */
export type DealType = AcceptorDeal['type'];
export const DEAL_TYPES = ['buy', 'sell'] as const satisfies readonly DealType[];
/** The side from which a deal is shown. */
export type Side = 'user' | 'desk';
/** Decimals of fiat here, whatever its currency (rules §7). */
export const CASH_SCALE = 2;
/** The highest rate an acceptor may ask for, in percent. */
export const RATE_MAX = '20';

export const rateOf = (acceptor: Acceptor, type: DealType): string =>
  type === 'buy' ? acceptor.recharge_rate : acceptor.cash_rate;
const quotaOf = (acceptor: Acceptor, type: DealType): string =>
  type === 'buy' ? acceptor.recharge_amount : acceptor.cash_amount;
/** Decimals of what the customer receives: coins for a deposit, fiat for a withdrawal. */
const receiveScale = (type: DealType): number => (type === 'buy' ? COIN_SCALE : CASH_SCALE);

/** The amount received for `money` after the rate, rounded down as the exchange does. */
export function receiveOf(type: DealType, money: string, rate: string): string {
  const scale = receiveScale(type);
  return formatUnits(percentOf(toUnits(money, scale), HUNDRED_PERCENT - percent(rate), PERCENT_SCALE, 'down'), scale);
}

/** The largest `money` an acceptor's quota bears, rounded down. */
export function maxMoney(acceptor: Acceptor, type: DealType): string {
  const scale = receiveScale(type);
  const kept = HUNDRED_PERCENT - percent(rateOf(acceptor, type));
  const most = divide(toUnits(quotaOf(acceptor, type), scale) * HUNDRED_PERCENT, kept, 'down');
  return formatUnits(rescale(most, scale, CASH_SCALE, 'down'), CASH_SCALE);
}

export interface DealFields {
  readonly type: DealType;
  readonly mobile: string;
  readonly account: string;
  readonly money: string;
  readonly way: Way | '';
  readonly password: string;
}
export const NO_FIELDS: Omit<DealFields, 'type'> = { mobile: '', account: '', money: '', way: '', password: '' };

/** The typed amount in the form of the call; empty for nothing or zero. */
export function moneyToSend(typed: string): string {
  const plain = toDecimalText(typed);
  return /[1-9]/.test(plain) ? plain : '';
}

/** The problems that keep an order from being sent, by field, in the order of rules §12.8. */
export function dealProblems(
  { type, mobile, account, money, way, password }: DealFields,
  limits: { readonly quota: string; readonly balance: string | undefined },
): Problems<'mobile' | 'account' | 'money' | 'way' | 'password'> {
  const amount = moneyToSend(money);
  const moneyProblem =
    amount === ''
      ? 'acc.moneyRequired'
      : compareDecimals(amount, limits.quota) > 0
        ? 'acc.quota'
        : type === 'sell' && limits.balance !== undefined && compareDecimals(amount, limits.balance) > 0
          ? 'acc.balance'
          : undefined;
  return {
    ...(mobile.trim() === '' && { mobile: 'acc.mobileRequired' }),
    ...(account.trim() === '' && { account: 'acc.accountRequired' }),
    ...(moneyProblem && { money: moneyProblem }),
    ...(way === '' && { way: 'acc.wayRequired' }),
    ...(type === 'sell' && password.length !== 6 && { password: 'fund.format' }),
  };
}

export type FactName =
  | 'bank_name'
  | 'bank_account'
  | 'bank_address'
  | 'ali_nickname'
  | 'ali_account'
  | 'wechat_nickname'
  | 'wechat_account';
const FACTS: Readonly<Record<Way, readonly FactName[]>> = {
  bank: ['bank_account', 'bank_name', 'bank_address'],
  ali_pay: ['ali_account', 'ali_nickname'],
  we_chat: ['wechat_account', 'wechat_nickname'],
};
export const FACT_NAMES = [...FACTS.bank, ...FACTS.ali_pay, ...FACTS.we_chat];
/** The fields that a payer of this way needs, the account first; none where the acceptor has no account of it. */
export const factsOf = (info: AcceptorInfo, way: Way): readonly { readonly name: FactName; readonly text: string }[] =>
  info[FACTS[way][0]!] === ''
    ? []
    : FACTS[way].filter((name) => info[name] !== '').map((name) => ({ name, text: info[name] }));

export type UserAction = 'confirm' | 'object' | 'cancel';
export type DeskAction = 'confirm' | 'reject' | 'transferred';

/** The acts of a customer (rules §7). */
export function userActions({ type, is_sure: sure, stage, object_until: until }: AcceptorDeal): readonly UserAction[] {
  // The deadline confirmed the deal; the money may still be missing.
  if (until !== '') return ['object'];
  if (sure !== 0 || stage === 2) return [];
  if (type === 'buy') return ['object', 'cancel'];
  return stage === 1 ? ['confirm', 'object'] : ['cancel'];
}
/** The acts of an acceptor. */
export function deskActions({ type, is_sure: sure, stage }: AcceptorDeal): readonly DeskAction[] {
  if (sure !== 0 || stage !== 0) return [];
  return type === 'buy' ? ['confirm', 'reject'] : ['transferred', 'reject'];
}

/** The sentence that says whose turn it is, as a text key; an ended deal has none. */
export function nextKey({ type, is_sure: sure, stage, disputed }: AcceptorDeal, side: Side): string | undefined {
  if (disputed === 1) return side === 'user' ? 'acc.next.user.late' : 'acc.next.desk.sell.2';
  return sure === 0 ? `acc.next.${side}.${type}.${stage}` : undefined;
}

/** A countdown runs while time decides: an objection stops it. */
export const runs = ({ is_sure: sure, stage, auto_time: at }: AcceptorDeal): boolean =>
  sure === 0 && stage !== 2 && at !== '';

/** Whether finance has to decide the deal. */
export const isObjected = ({ is_sure: sure, stage, disputed }: AcceptorDeal): boolean =>
  disputed === 1 || (sure === 0 && stage === 2);
/** The state in words, as a text key. */
export function stateKey(deal: AcceptorDeal): string {
  if (isObjected(deal)) return 'acc.stage.2';
  return deal.is_sure === 0 && deal.stage !== 0 ? `acc.stage.${deal.stage}` : `acc.state.${deal.is_sure}`;
}

/** Rows that a list shows at first; more are shown on request (rules §16). */
export const SHOWN_FIRST = 5;
