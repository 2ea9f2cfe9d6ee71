import { compareDecimals, trimZeros } from '@bourse/money';

/** An order that a price of the chart begins: it fills the ticket and sends nothing. */
export interface PriceOrder {
  readonly kind: 'limit' | 'stop';
  readonly side: 'buy' | 'sell';
  /** Decimal text. */
  readonly price: string;
}

/**
 * The orders that a price offers: limits of both sides, and the stop that waits there. A stop buys above the last price
 * and sells below it; at the last price, or without one, none is offered.
 */
export function ordersAt(price: string, lastPrice: string | undefined): readonly PriceOrder[] {
  const at = trimZeros(price);
  const away = lastPrice === undefined ? 0 : compareDecimals(price, lastPrice);
  const stop: PriceOrder = { kind: 'stop', side: away > 0 ? 'buy' : 'sell', price: at };
  return [
    { kind: 'limit', side: 'buy', price: at },
    { kind: 'limit', side: 'sell', price: at },
    ...(away === 0 ? [] : [stop]),
  ];
}
