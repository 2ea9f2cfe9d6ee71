import type { StoredAnswer } from '@bourse/events';
import { type AmendRefusal, type Market, type Order, numberText, orderView } from '@bourse/matching';

/** The answer of an applied amend; the order is in the state after its trades. */
export const amendAnswer = (market: Market, order: Order, isKept: boolean): StoredAnswer => ({
  type: 'ok',
  key: 'trade.amended',
  extra: { id: order.id, priority: isKept ? 1 : 0, order: orderView(market, order) },
});

/** The answer of an amend that the engine refused for an open order. */
export function amendRefusal(market: Market, { filled }: Pick<Order, 'filled'>, refusal: AmendRefusal): StoredAnswer {
  switch (refusal) {
    case 'filled':
      return {
        type: 'error',
        key: 'trade.amountFilled',
        params: { filled: numberText(market, filled) },
        field: 'amount',
      };
    case 'post_only':
      return { type: 'error', key: 'trade.postOnly', field: 'target_price' };
    case 'hold':
      return { type: 'error', key: 'trade.changed' };
    case 'linked':
      return { type: 'error', key: 'trade.linked' };
    case 'paused':
      return { type: 'error', key: 'market.paused' };
  }
}
