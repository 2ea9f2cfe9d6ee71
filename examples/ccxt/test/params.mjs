// Calls of the driver with parameters, before an exchange that only counts what reaches it.
import { setImmediate as turn } from 'node:timers/promises';
import ccxt from 'ccxt';
import { QUOTATION } from './watched.mjs';
import { bourse } from '../bourse.mjs';
import { orderRow } from './lists.mjs';

/** Names of the arguments of a method of ccxt; `unWatchBalance` is of the driver alone. */
function namesOf(name) {
  const text = ccxt.Exchange.prototype[name]?.toString() ?? '(params) {';
  const list = text.slice(text.indexOf('(') + 1, text.indexOf(') {'));
  return list.split(',').map((one) => one.trim().split(' ')[0]);
}
/** The index of `params` among the arguments of a method of ccxt; -1 if it has none. */
export const placeOfParams = (name) => namesOf(name).indexOf('params');

const COINS = [
  { id: 1, name: 'BTC', scale: 8 },
  { id: 2, name: 'ETH', scale: 8 },
  { id: 3, name: 'USDT', scale: 8 },
];
const OTHER = { ...QUOTATION, symbol: 'ETH/USDT', currency_id: 2, currency_name: 'ETH' };
const CATALOG = {
  quotation_new: [{ quotation: [QUOTATION, OTHER] }],
  'currency/list': { legal: COINS, list: [] },
  config: { is_open_CTbi: 1 },
};

/** A bot with loaded markets; its calls are only recorded in this list. */
export async function counted() {
  const sent = [];
  class Counted extends bourse {
    fetch(url, method, _headers, body) {
      const [path, query] = url.split('/api/')[1].split('?');
      const { idempotencyKey: _key, ...fields } = Object.fromEntries(
        new URLSearchParams(method === 'GET' ? query : body),
      );
      sent.push([method, path, fields]);
      if (path in CATALOG) return Promise.resolve({ type: 'ok', message: CATALOG[path] });
      const order = orderRow(1, 1_767_225_600_000);
      if (path === 'coin/batch')
        return Promise.resolve({ type: 'ok', message: JSON.parse(fields.items).map(() => ({ type: 'ok', order })) });
      if (path === 'coin/cancel') return Promise.resolve({ type: 'ok', message: [{ type: 'ok', order }] });
      const list = { data: [], list: [], total: 0, has_more: 0 };
      return Promise.resolve({ type: 'ok', message: list, order, ids: ['1'] });
    }
    live() {
      sent.push(['LIVE']);
      return { ready: () => new Promise(() => undefined), ticker: () => () => undefined };
    }
  }
  const exchange = new Counted({ apiKey: 'key', secret: 'secret', number: String, enableRateLimit: false });
  await exchange.loadMarkets();
  sent.length = 0;
  return { sent, exchange };
}

/** A bot with loaded markets whose orders and cancels are answered when the test says so, also those of the socket. */
export async function slow() {
  const { exchange } = await counted();
  const begun = [];
  const ends = new Map();
  const state = { sockets: 0 };
  const fetch = exchange.fetch.bind(exchange);
  const hold = (name) => {
    begun.push(name);
    return new Promise((resolve, reject) => ends.set(name, { resolve, reject }));
  };
  const nameOf = (method, path, { client_order_id: name = '', id = '', legal_id: pair = '' }) =>
    [method, path, name || id || pair].filter(Boolean).join(' ');
  exchange.fetch = async (url, method, headers, body) => {
    const path = url.split('/api/')[1];
    if (method === 'GET') return fetch(url, method, headers, body);
    await hold(nameOf(method, path, Object.fromEntries(new URLSearchParams(body))));
    return fetch(url, method, headers, body);
  };
  exchange.live = () => {
    exchange.socket ??= {
      number: (state.sockets += 1),
      ready: () => Promise.resolve(),
      close: () => undefined,
      order: async (message, fields) => {
        await hold(nameOf(message, '', fields));
        return { status: 200, answer: { type: 'ok', order: orderRow(1, 1_767_225_600_000), ids: [] } };
      },
    };
    return exchange.socket;
  };
  return {
    exchange,
    state,
    /** The calls that have begun. */
    begun: async () => {
      for (let turns = 0; turns < 5; turns += 1) await turn();
      return begun.splice(0);
    },
    end: (name) => ends.get(name)?.resolve(),
    fail: (name, error) => ends.get(name)?.reject(error),
  };
}

/** Arguments with which each method would do something. */
export function argumentsOf(name) {
  const values = { symbol: 'BTC/USDT', type: 'limit', side: 'buy', amount: '1', price: '2', id: '7', code: 'USDT' };
  const more = {
    timeframe: '1m',
    symbols: ['BTC/USDT'],
    triggerPrice: '3',
    stopLossPrice: '3',
    takeProfitPrice: '9',
    cost: '5',
    orders: [],
  };
  return namesOf(name)
    .slice(0, placeOfParams(name))
    .map((one) => ({ ...values, ...more })[one]);
}

export const nameOf = (promise) =>
  promise.then(
    () => 'done',
    (error) => error.constructor.name,
  );
