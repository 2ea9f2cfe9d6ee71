// The driver before the lists of an exchange of the test's own, which answers by pages, bounds and order.
import { bot } from './watched.mjs';

const numberOf = ({ id }) => Number(String(id).split('-').at(-1));
/** Rows of a list in the order of time, equal times by their numbers. */
const sorted = (rows) => [...rows].sort((a, b) => a.ts - b.ts || numberOf(a) - numberOf(b));

/** A list as the exchange returns it; the requests are recorded. */
export function listing(rows, asked) {
  return ({ from = 0, to = Infinity, order = 'desc', before, page = 1, limit = 20 }) => {
    asked.push({ from, to, order, before, page, limit });
    const within = sorted(rows).filter(({ ts }) => ts >= from && ts <= to);
    const all = order === 'asc' ? within : within.reverse();
    const older = before === undefined ? all : all.filter((row) => numberOf(row) < numberOf({ id: before }));
    const at = (page - 1) * limit;
    const data = older.slice(at, at + limit);
    return { data, total: older.length, has_more: at + limit < older.length ? 1 : 0 };
  };
}

export const tradeRow = (number, ts, more = {}) => ({
  id: `BTC/USDT-${number}`,
  ts,
  direction: 'buy',
  price: '2.00',
  number: '1.000000',
  ...more,
});
export const fillRow = (number, ts, more = {}) => ({
  id: `BTC/USDT-${number}`,
  order_id: '7',
  symbol: 'BTC/USDT',
  type: 1,
  price: '2.00',
  number: '1.000000',
  total: '2.00000000',
  fee: '0.00100000',
  fee_currency: 'BTC',
  role: 'taker',
  ts,
  ...more,
});
export const orderRow = (number, ts, more = {}) => ({
  id: String(number),
  client_order_id: '',
  symbol: 'BTC/USDT',
  type: 1,
  order_type: 'limit',
  time_in_force: 'GTC',
  post_only: 0,
  target_price: '2.00',
  stop_price: '0.00',
  trade_amount: '1.000000',
  filled_amount: '0.000000',
  trade_price: '0.00',
  status: 1,
  cancelled: 0,
  fee: '0.00000000',
  fee_currency: 'BTC',
  ts,
  updated_ts: ts + 1,
  ...more,
});
export const movedRow = (number, ts, more = {}) => ({
  id: String(number),
  currency_name: 'USDT',
  amount: '5.00000000',
  number: '5.00000000',
  fee: '1.00000000',
  state: 'done',
  tx_id: `tx${number}`,
  ts,
  updated_ts: ts + 1,
  ...more,
});

/** The call of each list, and its rows. */
const LISTS = {
  fetchTrades: ['publicGetMarketTrades', tradeRow],
  fetchMyTrades: ['privateGetCoinFills', fillRow],
  fetchOrders: ['privateGetCoinList', orderRow],
  fetchOpenOrders: ['privateGetCoinList', orderRow],
  fetchClosedOrders: ['privateGetCoinList', orderRow],
  fetchDeposits: ['privateGetWalletDeposits', movedRow],
  fetchWithdrawals: ['privateGetWalletOutList', movedRow],
};
export const listMethods = Object.keys(LISTS);

/** A bot that reads a list of rows at these times, numbered from `first` in their order. */
export function reader(method, times, first = 1) {
  const { exchange } = bot({});
  const [call, row] = LISTS[method];
  const rows = times.map((ts, index) => row(first + index, ts));
  const asked = [];
  const answer = listing(rows, asked);
  // The lists of money in and out take neither bounds nor order.
  const isBounded = row !== movedRow;
  exchange[call] = ({ from, to, order, before, page, limit }) => {
    const { data, total, has_more } = answer(isBounded ? { from, to, order, before, page, limit } : { page, limit });
    return Promise.resolve({ message: { data, list: data, total, has_more, page } });
  };
  const symbol = isBounded ? 'BTC/USDT' : undefined;
  const fetch = (since, limit, params) => exchange[method](symbol, since, limit, params);
  const numbers = async (...args) => (await fetch(...args)).map(numberOf);
  return { exchange, asked, fetch, numbers };
}
