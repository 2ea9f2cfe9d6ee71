import { BUY, type Side, type Trade, type HoldMove, type Order } from '@bourse/matching';

export type Coin = 'quote' | 'base';
const coinOf = (side: Side): Coin => (side === BUY ? 'quote' : 'base');

type Sums = Record<Coin, bigint>;
const zero = (): Sums => ({ quote: 0n, base: 0n });

/**
 * The practice account: free money, the hold of each open order, and what the replayed market and the fees took. Units
 * of each coin; their sum never changes, and nothing is ever below zero.
 */
export class PracticeAccount {
  readonly free: Sums;
  readonly fees = zero();
  /** Units that the replayed market has received; below zero: that it has given. */
  readonly market = zero();
  private readonly holds = new Map<string, { readonly coin: Coin; units: bigint }>();

  constructor(start: bigint) {
    this.free = { quote: start, base: 0n };
  }

  /** Free and held money together. */
  total(coin: Coin): bigint {
    let sum = this.free[coin];
    for (const hold of this.holds.values()) if (hold.coin === coin) sum += hold.units;
    return sum;
  }

  hold({ id, side }: Pick<Order, 'id' | 'side'>, units: bigint): void {
    const coin = coinOf(side);
    this.move(coin, -units);
    this.holds.set(id, { coin, units });
  }

  /** One side of a trade: gross from the hold, and the fee from what is received (rules §2). */
  fill(order: Order, trade: Trade, base: bigint): void {
    const buys = order === trade.buyer;
    this.take(order.id, buys ? trade.quote + trade.improvement : base);
    if (buys) {
      this.move('quote', trade.improvement);
      this.receive('base', base, trade.buyerFee);
      this.market.quote += trade.quote;
      this.market.base -= base;
    } else {
      this.receive('quote', trade.quote, trade.sellerFee);
      this.market.base += base;
      this.market.quote -= trade.quote;
    }
  }

  moveHold({ limit, stop, units }: HoldMove): void {
    this.take(limit.id, units);
    if (stop) this.holds.set(stop.id, { coin: coinOf(stop.side), units });
    else this.move(coinOf(limit.side), units);
  }

  /** The hold of an amended order grows by `taken`, or gives `given` back. */
  adjust(id: string, taken: bigint, given: bigint): void {
    const hold = this.holds.get(id);
    if (!hold) throw new Error(`invariant: practice order ${id} holds nothing`);
    this.move(hold.coin, given - taken);
    hold.units += taken - given;
  }

  release({ id, holdLeft }: Order): void {
    const hold = this.holds.get(id);
    if ((hold?.units ?? 0n) !== holdLeft) throw new Error(`invariant: hold of practice order ${id} differs`);
    if (hold) this.move(hold.coin, hold.units);
    this.holds.delete(id);
  }

  private receive(coin: Coin, gross: bigint, fee: bigint): void {
    this.move(coin, gross - fee);
    this.fees[coin] += fee;
  }

  private take(id: string, units: bigint): void {
    const hold = this.holds.get(id);
    if (!hold || hold.units < units) throw new Error(`invariant: practice order ${id} holds less than it uses`);
    hold.units -= units;
  }

  private move(coin: Coin, units: bigint): void {
    if (this.free[coin] + units < 0n) throw new Error(`invariant: practice balance of ${coin} below zero`);
    this.free[coin] += units;
  }
}
