import type { Deal, PaymentInfo, Way } from '@bourse/contract';

/** States of a deal as the contract numbers them (rules §6). */
export const SURE = { waiting: 0, done: 1, cancelled: 2, paid: 3 } as const;
export const APPEAL = { none: 0, open: 1, buyer: 2, seller: 3 } as const;

/** The words for the state of a deal: its own, and those of its appeal above them. */
export type DealState = 'waiting' | 'paid' | 'done' | 'cancelled' | 'appeal' | 'buyerWon' | 'sellerWon';
export function stateOf({ is_sure: sure, appeal }: Pick<Deal, 'is_sure' | 'appeal'>): DealState {
  if (appeal === APPEAL.open) return 'appeal';
  if (appeal === APPEAL.buyer) return 'buyerWon';
  if (appeal === APPEAL.seller) return 'sellerWon';
  return ({ 0: 'waiting', 1: 'done', 2: 'cancelled', 3: 'paid' } as const)[sure];
}

/** Whoever has to do something now; `over`: nobody any more (terminal rule 13). */
export type Turn = 'you' | 'other' | 'exchange' | 'over';
export function turnOf({ is_sure: sure, appeal, role }: Pick<Deal, 'is_sure' | 'appeal' | 'role'>): Turn {
  if (appeal === APPEAL.open) return 'exchange';
  if (sure === SURE.waiting) return role === 'buyer' ? 'you' : 'other';
  if (sure === SURE.paid) return role === 'seller' ? 'you' : 'other';
  return 'over';
}
/** The list that opens first: the one with a deal that waits for the person, else one with a running deal. */
export function firstList(
  taken: readonly Parameters<typeof turnOf>[0][],
  onAds: readonly Parameters<typeof turnOf>[0][],
): 'taken' | 'onAds' {
  const waits = (deals: typeof taken): boolean => deals.some((deal) => turnOf(deal) === 'you');
  if (waits(taken) !== waits(onAds)) return waits(taken) ? 'taken' : 'onAds';
  return taken.length === 0 && onAds.length > 0 ? 'onAds' : 'taken';
}
export const isOver = (deal: Pick<Deal, 'is_sure' | 'appeal' | 'role'>): boolean => turnOf(deal) === 'over';

/** The step of a deal, of three: created, paid, released. 3: all are done. */
export const stepOf = ({ is_sure: sure }: Pick<Deal, 'is_sure'>): number =>
  sure === SURE.done ? 3 : sure === SURE.paid ? 2 : 1;

/** The other side of a deal: what the caller may know of it. */
export interface Party {
  readonly name: string;
  readonly phone: string;
  readonly payment: PaymentInfo | null;
}
export const otherParty = (deal: Deal): Party =>
  deal.role === 'buyer'
    ? { name: deal.hes_realname, phone: deal.seller_phone, payment: deal.sell_cash_info }
    : { name: deal.hes_realname, phone: deal.phone, payment: deal.user_cash_info };

/** The public name of the other side: the owner of the ad, or who took it. */
export const otherName = (deal: Deal): string => (isTaker(deal) ? deal.seller_name : deal.account_number);
/** Whether the caller took the ad, and does not own it. */
export const isTaker = ({ type, role }: Pick<Deal, 'type' | 'role'>): boolean =>
  (type === 'sell') === (role === 'buyer');

export interface PaymentLine {
  readonly id: keyof PaymentInfo;
  readonly text: string;
}
const LINES: Readonly<Record<Way, readonly (keyof PaymentInfo)[]>> = {
  bank: ['real_name', 'bank_name', 'bank_account'],
  ali_pay: ['real_name', 'alipay_account'],
  we_chat: ['real_name', 'wechat_account', 'wechat_nickname'],
};
/** The fields needed to pay a person by this way, in the order of the form; empty ones are left out. */
export const paymentLines = (info: PaymentInfo, way: Way): readonly PaymentLine[] =>
  LINES[way].map((id) => ({ id, text: info[id] })).filter(({ text }) => text !== '');
/** Address of the picture with the code to pay by; empty where the way has none. */
export const paymentCode = (info: PaymentInfo, way: Way): string =>
  way === 'ali_pay' ? info.alipay_collect : way === 'we_chat' ? info.wechat_collect : '';

/** Times before a deadline at which it is read out, nearest first: not each second. */
const MARKS = [
  [10_000, 'seconds'],
  [60_000, 'minute'],
  [600_000, 'tenMinutes'],
] as const;
export type Mark = (typeof MARKS)[number][1] | '';
/** The announcement for screen readers so many milliseconds before the deadline; empty: too early, or past. */
export const markAt = (msLeft: number): Mark =>
  msLeft <= 0 ? '' : (MARKS.find(([from]) => msLeft <= from)?.[1] ?? '');

/** A deal as a push says it is now, with what is personal as it was read: pushes carry nothing of that. */
export const withPush = (held: Deal, pushed: Deal): Deal => ({
  ...pushed,
  account_number: held.account_number,
  seller_phone: held.seller_phone,
  phone: held.phone,
  hes_realname: held.hes_realname,
  sell_cash_info: held.sell_cash_info,
  user_cash_info: held.user_cash_info,
  proof: pushed.proof || held.proof,
});
