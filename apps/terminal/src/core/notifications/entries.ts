import type { Deposit, SpotOrder, Withdrawal } from '@bourse/contract';
import { atMost, formatAmount, formatBookPrice, grouped, type ToastTone } from '@bourse/ui';

/** One thing that happened to the person's orders or money; texts are made when it is shown, in the language of then. */
export interface Entry {
  /** A later entry with the same id takes the place of the first: one an order, one a deposit. */
  readonly id: string;
  readonly key: string;
  readonly params: Readonly<Record<string, string>>;
  /** Second line: the fee, what is left. */
  readonly detail?: { readonly key: string; readonly params: Readonly<Record<string, string>> };
  readonly tone: ToastTone;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Address of the screen that shows it. */
  readonly to: string;
  readonly read: boolean;
}
type News = Omit<Entry, 'at' | 'read'>;

export interface Scales {
  readonly price_scale: number;
  readonly number_scale: number;
}
const FULL: Scales = { price_scale: 8, number_scale: 8 };
/** How many entries a browser keeps of a person. */
export const ENTRIES_MAX = 100;

const fills = (order: SpotOrder): boolean => /[1-9]/.test(order.filled_amount);
const orderId = (order: SpotOrder): string => `order ${order.id}`;

/** An order that was taken and has not filled: a toast, and no entry of the message centre. */
export function acceptedNews(order: SpotOrder, scales: Scales = FULL): News {
  const market = order.order_type === 'market' || order.order_type === 'stop_market';
  const amount = formatAmount(order.trade_amount, scales.number_scale);
  const side = order.type === 1 ? 'buy' : 'sell';
  return {
    id: orderId(order),
    key: 'told.accepted',
    params: {},
    detail: {
      key: market ? `told.${side}Market` : `told.${side}Limit`,
      params: { amount, coin: order.currency_name, price: formatBookPrice(order.target_price, scales.price_scale) },
    },
    tone: 'info',
    to: '/accountEntrust',
  };
}

/** What a pushed order tells; undefined when it is nothing that the person did not do in this very moment. */
export function orderNews(order: SpotOrder, filled: boolean, scales: Scales = FULL): News | undefined {
  const base = { id: orderId(order), to: '/accountEntrust' };
  const ended = order.cancelled === 1 && order.cancel_reason !== 'user' && order.cancel_reason !== '';
  const cause = { key: `cancelReason.${order.cancel_reason}`, params: { pair: order.symbol } };
  if (fills(order) && (filled || ended))
    return {
      ...base,
      key: order.type === 1 ? 'fill.bought' : 'fill.sold',
      params: {
        amount: formatAmount(order.filled_amount, scales.number_scale),
        coin: order.currency_name,
        price: formatBookPrice(order.trade_price, scales.price_scale),
      },
      detail: ended
        ? cause
        : { key: 'told.fee', params: { fee: grouped(atMost(order.fee, 8)), coin: order.fee_currency } },
      tone: 'done',
    };
  return ended ? { ...base, ...cause, tone: 'info' } : undefined;
}

/** A deposit that became money, or came back; what is only seen is told by its own list. */
export function depositNews({ id, state, amount, currency_name: coin }: Deposit): News | undefined {
  const key = { seen: undefined, held: 'told.depositHeld', credited: 'told.deposit', returned: 'told.depositReturned' }[
    state
  ];
  if (!key) return undefined;
  return {
    id: `deposit ${id}`,
    key,
    params: { amount: grouped(atMost(amount, 8)), coin },
    tone: state === 'credited' ? 'done' : 'info',
    to: '/coinRecord',
  };
}

/** A withdrawal that ended, well or not. */
export function withdrawalNews({ id, state, number, currency_name: coin }: Withdrawal): News | undefined {
  const key = {
    review: undefined,
    sending: 'told.withdrawalSending',
    done: 'told.withdrawal',
    failed: 'told.withdrawalFailed',
    cancelled: undefined,
  }[state];
  if (!key) return undefined;
  return {
    id: `withdrawal ${id}`,
    key,
    params: { amount: grouped(atMost(number, 8)), coin },
    tone: state === 'failed' ? 'error' : 'done',
    to: '/coinRecord?tab=withdrawals',
  };
}

/** The decision on a person's papers: 1 was under review, 2 is certified, 0 was sent back. */
export function identityNews(before: number, now: number): News | undefined {
  if (before !== 1 || now === 1) return undefined;
  return {
    id: 'identity',
    key: now === 2 ? 'told.identityPassed' : 'told.identityRefused',
    params: {},
    tone: now === 2 ? 'done' : 'error',
    to: '/authentication',
  };
}

/** The list with one entry more, newest first; an entry of the same id is replaced. */
export function withEntry(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  return [entry, ...entries.filter(({ id }) => id !== entry.id)].slice(0, ENTRIES_MAX);
}
export const unreadOf = (entries: readonly Entry[]): number => entries.filter(({ read }) => !read).length;
export const allRead = (entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => (entry.read ? entry : { ...entry, read: true }));
