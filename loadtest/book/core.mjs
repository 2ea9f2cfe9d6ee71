// Gives any book of the product the interface of a core: the thirteen totals that the reference matcher reaches.
const BUY = 0,
  SELL = 1,
  GTC = 0,
  CANCEL_NEWEST = 0,
  NO_BUDGET = -1,
  MAX_TICK = 0x7ffffffe;

/** @param {() => import('@bourse/matching').Book} makeBook */
export function coreOf(makeBook) {
  return class Core {
    constructor() {
      this.book = makeBook();
      this.next = 0;
      this.trades = 0;
      this.tradedQty = 0;
      this.notional = 0;
      this.killed = 0;
      this.rejects = 0;
    }
    limit(id, side, price, qty) {
      this.book.limit(id, 0, side, price, qty, GTC, false, CANCEL_NEWEST);
      if (this.book.events - this.next > 512) this.tally();
    }
    cancel(id) {
      if (this.book.cancel(id) === 0) this.rejects++;
    }
    market(id, side, qty) {
      this.book.market(id, 0, side, qty, side === BUY ? MAX_TICK : 1, false, CANCEL_NEWEST, NO_BUDGET, 0);
      this.killed += this.book.remaining;
      if (this.book.events - this.next > 512) this.tally();
    }
    // Events are read in batches, as the engine reads them: the book keeps them until then.
    tally() {
      this.next = this.book.drain(this.next, this.count);
    }
    count = (_maker, _taker, price, qty) => {
      this.trades++;
      this.tradedQty += qty;
      this.notional += price * qty;
    };
    drain(from, visit) {
      return (this.next = this.book.drain(from, (maker, taker, price, qty) => {
        this.count(maker, taker, price, qty);
        visit(maker, taker, price, qty);
      }));
    }
    depth() {
      this.tally();
      const bids = this.book.levels(BUY, Infinity),
        asks = this.book.levels(SELL, Infinity),
        sum = (levels) => levels.reduce((total, [, qty]) => total + qty, 0);
      return {
        resting: this.book.size,
        bidLevels: bids.length,
        askLevels: asks.length,
        bidQty: sum(bids),
        askQty: sum(asks),
        bestBid: this.book.bestBid,
        bestAsk: this.book.bestAsk,
      };
    }
  };
}
