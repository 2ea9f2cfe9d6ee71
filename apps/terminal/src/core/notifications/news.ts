import type { Deposit, SpotOrder, Withdrawal } from '@bourse/contract';
import { atMost, formatAmount, formatBookPrice, grouped } from '@bourse/ui';
import type { News } from './entries.js';

export interface Scales {
  readonly price_scale: number;
  readonly number_scale: number;
}
const FULL: Scales = { price_scale: 8, number_scale: 8 };

const fills = (order: SpotOrder): boolean => /[1-9]/.test(order.filled_amount);
const orderId = (order: SpotOrder): string => `order ${order.id}`;

/** An order that was taken and has not filled, or a stop that waits: a toast, and no entry of the message centre. */
export function acceptedNews(order: SpotOrder, scales: Scales = FULL): News {
  const trails = order.order_type === 'trailing_stop';
  const market = trails || order.order_type === 'market' || order.order_type === 'stop_market';
  const waits = (trails || order.order_type.startsWith('stop')) && order.triggered === 0;
  const stop = trails && order.trail_active === 0 ? (order.activation_price ?? '0') : order.stop_price;
  const amount = formatAmount(order.trade_amount, scales.number_scale);
  const side = order.type === 1 ? 'buy' : 'sell';
  return {
    id: orderId(order),
    ...(waits
      ? { key: 'told.stopWaits', params: { stop: formatBookPrice(stop, scales.price_scale) } }
      : { key: 'told.accepted', params: {} }),
    detail: {
      key: market ? `told.${side}Market` : `told.${side}Limit`,
      params: { amount, coin: order.currency_name, price: formatBookPrice(order.target_price, scales.price_scale) },
    },
    tone: 'info',
    to: '/accountEntrust',
  };
}

/** The message for a pushed order; undefined when the person has just caused the change. */
export function orderNews(order: SpotOrder, filled: boolean, scales: Scales = FULL): News | undefined {
  const base = { id: orderId(order), to: '/accountEntrust' };
  // The pair has ended this leg: the message is that of the other leg.
  const ended = order.cancelled === 1 && !['', 'user', 'oco'].includes(order.cancel_reason);
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

/** A deposit that became money, or came back; its own list shows one that is only seen. */
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
export function withdrawalNews({ id, state, reason, number, currency_name: coin }: Withdrawal): News | undefined {
  const key = {
    review: undefined,
    sending: 'told.withdrawalSending',
    done: 'told.withdrawal',
    failed: 'told.withdrawalFailed',
    // Only an operator gives a reason: the person's own cancel has none.
    cancelled: reason ? 'told.withdrawalFailed' : undefined,
  }[state];
  if (!key) return undefined;
  return {
    id: `withdrawal ${id}`,
    key,
    params: { amount: grouped(atMost(number, 8)), coin },
    tone: key === 'told.withdrawalFailed' ? 'error' : 'done',
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
