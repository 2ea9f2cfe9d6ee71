// The driver on a stream of the test's own, in a process of its own: ccxt loads every exchange there is.
import { setImmediate as turn } from 'node:timers/promises';
import { SubscriptionRefused } from '@bourse/sdk';
import ccxt from 'ccxt';
import { bourse } from '../bourse.mjs';

/** The errors that bots know. */
export const errors = ccxt;

const ofPair = (symbol, listener) => (message) => {
  if (message.symbol === symbol) listener(message);
};
/** A stream that says what the test says. */
export class Said {
  listeners = new Map();
  closed = 0;
  /** Whether the private stream is open; until then `ready` waits. */
  opening = Promise.resolve();

  listen(name, listener) {
    const all = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, all.add(listener));
    return () => {
      this.closed += 1;
      all.delete(listener);
    };
  }
  say(name, message) {
    for (const listener of this.listeners.get(name) ?? []) listener(message);
  }
  ticker = (symbol, listener) => this.listen('ticker', ofPair(symbol, listener));
  trades = (symbol, listener) => this.listen('trades', ofPair(symbol, listener));
  candles = (_symbol, _period, listener) => this.listen('candles', listener);
  book = (symbol, listener) => ({ close: this.listen('book', ofPair(symbol, listener)) });
  on = (name, listener) => this.listen(name, listener);
  onHole = (listener) => this.listen('hole', listener);
  ready = () => this.opening;
  close() {}
}

export const QUOTATION = {
  symbol: 'BTC/USDT',
  currency_id: 1,
  currency_name: 'BTC',
  legal_id: 3,
  legal_name: 'USDT',
  price_scale: 2,
  number_scale: 6,
  min_total: '1',
  maker_fee: '0.1',
  taker_fee: '0.1',
  mode: 'normal',
  open_coin_trade: 1,
};

/** A bot that reads these balances, one after another; an error is thrown. */
export function bot(...balances) {
  const said = new Said();
  class Told extends bourse {
    reads = 0;
    fetchMarkets() {
      const other = { ...QUOTATION, symbol: 'ETH/USDT', currency_id: 2, currency_name: 'ETH' };
      return Promise.resolve([QUOTATION, other].map((one) => this.parseMarket(one)));
    }
    fetchCurrencies() {
      return Promise.resolve({});
    }
    fetchBalance() {
      const next = balances[Math.min(this.reads, balances.length - 1)];
      this.reads += 1;
      if (next instanceof Error) return Promise.reject(next);
      return Promise.resolve(this.safeBalance({ info: {}, ...next }));
    }
    live() {
      return said;
    }
  }
  return { said, exchange: new Told({ apiKey: 'key', secret: 'secret', number: String }) };
}

/** Settles when everything that can proceed without a message has done so. */
export async function settled() {
  for (let count = 0; count < 20; count += 1) await turn();
}
/** Returns the present state of a promise. */
export async function stateOf(promise) {
  const pending = {};
  const got = await Promise.race([promise, settled().then(() => pending)]).catch((error) => ({
    failed: error.constructor.name,
  }));
  return got === pending ? 'waits' : got;
}
/** Watches the ticker again and returns the last price of its next message, which says this one. */
export async function nextPrice(exchange, said, price) {
  const watched = exchange.watchTicker('BTC/USDT');
  await settled();
  said.say('ticker', { symbol: 'BTC/USDT', now_price: price, ts: 1 });
  return (await watched).last;
}
export const refusedStream = (...named) => new SubscriptionRefused(...named);
export const order = (id, more = {}) => ({
  order: {
    id,
    symbol: 'BTC/USDT',
    type: 1,
    order_type: 'limit',
    target_price: '1.00',
    trade_amount: '1',
    filled_amount: '0',
    status: 1,
    fee: '0',
    fee_currency: 'BTC',
    ts: 1_767_225_600_000,
    updated_ts: 1_767_225_600_000,
    ...more,
  },
});
export const balance = (...lines) => ({
  balances: lines.map(([currency_name, free, held, account = 'change']) => ({
    account,
    currency_name,
    balance: free,
    lock_balance: held,
  })),
});
