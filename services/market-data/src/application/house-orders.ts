import { Injectable } from '@nestjs/common';
import type { SpotOrder } from '@bourse/contract';
import { Asks, spotMatchingAsks } from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import type { HouseOrder, Placed } from './ports.js';

/** Longer than a command lives: its outcome is known by then. */
const WAIT_MS = 5_500;

/** Orders of the house accounts, through the same use cases as all other orders. */
@Injectable()
export class HouseOrders {
  constructor(private readonly asks: Asks) {}

  async place(userId: number, fields: Readonly<Record<string, string>>): Promise<Placed> {
    try {
      const { order } = await this.asks.ask(spotMatchingAsks.place, { userId, fields }, WAIT_MS);
      return { ok: true, order: houseOrder(order) };
    } catch (error) {
      // An outcome that is not known yet is no refusal: the caller must read its open orders.
      if (error instanceof Refused && error.key !== 'common.processing') return { ok: false, key: error.key };
      throw error;
    }
  }

  /** True when the order is no longer open, by this cancel or otherwise. */
  async cancel(userId: number, orderId: string): Promise<boolean> {
    try {
      await this.asks.ask(spotMatchingAsks.cancel, { userId, orderId }, WAIT_MS);
      return true;
    } catch (error) {
      if (error instanceof Refused && error.key !== 'common.processing')
        return error.key === 'trade.notOpen' || error.key === 'common.notFound';
      throw error;
    }
  }

  async open(userId: number): Promise<HouseOrder[]> {
    return (await this.asks.ask(spotMatchingAsks.open, { userId }, WAIT_MS)).map(houseOrder);
  }
}

const houseOrder = (order: SpotOrder): HouseOrder => ({
  id: order.id,
  symbol: order.symbol,
  side: order.type === 1 ? 'buy' : 'sell',
  price: order.target_price,
  done: order.status === 2,
  reason: order.cancel_reason,
});
