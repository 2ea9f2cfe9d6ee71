// One market whose pushes are made here, each valid for the client: numbers and checksums continue its snapshots.
import { bookChecksum } from '@bourse/contract';

/** Continues the streams of one pair from their snapshots. */
export class Market {
  sent = { depth: 0, trades: 0, tickers: 0 };
  #book;
  #bids;
  #asks;
  #trade;
  #tickers;

  /** @param subscribed snapshots of the channels, as the answer to a subscription has them */
  constructor({ depth, trades, daymarket }) {
    if (!depth || !trades || !daymarket) throw new Error('The page has not subscribed to its market.');
    const levels = (flat) => Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at], flat[2 * at + 1]]);
    this.#book = depth;
    [this.#bids, this.#asks] = [levels(depth.b), levels(depth.a)];
    if (this.#bids.length === 0 || this.#asks.length === 0) throw new Error('The book of the pair is empty.');
    this.#trade = trades[0];
    this.#tickers = daymarket;
    if (!this.#trade) throw new Error('The pair has no trade.');
  }

  /** Another number at one level, mostly near the best price. */
  depth() {
    const at = this.sent.depth++;
    const side = at % 2 === 0 ? this.#bids : this.#asks;
    const level = side[(at >> 1) % Math.min(side.length, 12)];
    level[1] = `0.${String(100_000 + ((at * 7_919) % 899_999))}`;
    const { seq } = this.#book;
    const change = at % 2 === 0 ? { b: [...level], a: [] } : { b: [], a: [...level] };
    const checksum = bookChecksum(this.#bids, this.#asks);
    this.#book = { ...this.#book, kind: 'diff', prev_seq: seq, seq: seq + 1, ts: Date.now(), checksum, ...change };
    return ['market_depth', this.#book];
  }

  trades() {
    const at = this.sent.trades++;
    const isBuy = at % 3 !== 0;
    const [price] = isBuy ? this.#asks[0] : this.#bids[0];
    const seq = this.#trade.seq + 1;
    this.#trade = {
      ...this.#trade,
      id: `${this.#trade.symbol}-${seq}`,
      price,
      amount: `0.${String(1_000 + (at % 9_000)).padStart(6, '0')}`,
      direction: isBuy ? 'buy' : 'sell',
      house: 0,
      prev_seq: seq - 1,
      seq,
      ts: Date.now(),
    };
    return ['match_trade', this.#trade];
  }

  tickers() {
    const at = this.sent.tickers++;
    const ticker = this.#tickers[at % this.#tickers.length];
    ticker.prev_seq = ticker.seq;
    ticker.seq += 1;
    ticker.ts = Date.now();
    ticker.change = ((at % 2_000) / 100 - 10).toFixed(2);
    return ['daymarket', ticker];
  }
}
