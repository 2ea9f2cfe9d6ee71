// Calls every method that the driver declares, on an exchange that trades, and compares the answers with the structures
// of ccxt.
import ccxt from 'ccxt';
import { problemsOf, problemsOfAll } from './structures.mjs';

const { Precise } = ccxt;
const AMOUNT = '0.001';

/**
 * Returns the problems of the answer of each declared method, by name; none if it is right. `pause` is called between
 * the orders that move the market, until all streams have sent a message.
 */
export async function problemsOfDeclared(exchange, symbol, pause) {
  const { base } = exchange.market(symbol);
  const now = Math.max(Date.now(), await exchange.fetchTime());
  const problems = {};
  const answers = {};
  const ask = async (method, args, problemsIn) => {
    try {
      answers[method] = await exchange[method](...args);
      problems[method] = problemsIn(answers[method]);
    } catch (error) {
      problems[method] = [`${error.constructor.name}: ${error.message}`];
    }
    return answers[method];
  };
  const one =
    (kind, more = {}) =>
    (answer) =>
      problemsOf(exchange, kind, answer, { symbol, now, ...more });
  const all =
    (kind, more = {}) =>
    (answer) => {
      const found = problemsOfAll(exchange, kind, answer, { symbol, now, ...more });
      return answer.length === 0 ? [...found, 'it is empty'] : found;
    };
  /** Lists that may be empty: of a user without deposits, withdrawals or transfers. */
  const some =
    (kind, more = {}) =>
    (answer) =>
      problemsOfAll(exchange, kind, answer, { now, ...more });
  const each =
    (kind, more = {}) =>
    (answer) =>
      Object.entries(answer).flatMap(([name, entry]) =>
        problemsOf(exchange, kind, entry, { now, ...(name.includes('/') ? { symbol: name } : {}), ...more }),
      );
  const nothing = () => [];
  const isOpen = (problemsIn) => (answer) => [
    ...problemsIn(answer),
    ...(answer.status === 'open' ? [] : ['it is not open']),
  ];

  const book = await ask('fetchOrderBook', [symbol, 10], one('book'));
  const at = (price, times) => exchange.priceToPrecision(symbol, Precise.stringMul(ccxt.numberToString(price), times));
  const [below, above] = [at(book.bids[0][0], '0.5'), at(book.asks[0][0], '1.5')];

  // Messages of the streams, while orders move the market.
  const both = [symbol, exchange.symbols.find((other) => other !== symbol)];
  const watched = Promise.all([
    ask('watchTicker', [symbol], one('ticker', { isLive: true })),
    ask('watchTickers', [both], each('ticker', { isLive: true })),
    ask('watchOrderBook', [symbol, 5], one('book')),
    ask('watchOrderBookForSymbols', [both, 5], one('book', { symbol: undefined })),
    ask('watchTrades', [symbol], all('trade', { isPublic: true })),
    ask('watchTradesForSymbols', [both], all('trade', { isPublic: true, symbol: undefined })),
    ask('watchOHLCV', [symbol, '1m'], all('candle')),
    ask('watchOrders', [symbol], all('order')),
    ask('watchMyTrades', [symbol], all('trade')),
    ask('watchBalance', [], one('balance')),
  ]);
  let isWatched = false;
  void watched.then(() => (isWatched = true));
  while (!isWatched) {
    await ask('createMarketOrder', [symbol, 'buy', AMOUNT], one('order'));
    await ask('createMarketSellOrder', [symbol, AMOUNT], one('order'));
    await pause();
  }
  await ask('createMarketBuyOrder', [symbol, AMOUNT], one('order'));

  // Orders that rest, and stops that wait.
  const resting = isOpen(one('order'));
  const placed = await ask('createOrder', [symbol, 'limit', 'buy', AMOUNT, below], resting);
  await ask('createLimitOrder', [symbol, 'buy', AMOUNT, below], resting);
  await ask('createLimitBuyOrder', [symbol, AMOUNT, below], resting);
  await ask('createLimitSellOrder', [symbol, AMOUNT, above], resting);
  await ask('createPostOnlyOrder', [symbol, 'limit', 'buy', AMOUNT, below], resting);
  await ask('createStopLimitOrder', [symbol, 'sell', AMOUNT, below, below], resting);
  await ask('createStopMarketOrder', [symbol, 'sell', AMOUNT, below], resting);
  await ask('createStopOrder', [symbol, 'market', 'sell', AMOUNT, undefined, below], resting);
  await ask('createStopLossOrder', [symbol, 'market', 'sell', AMOUNT, undefined, below], resting);
  await ask('createTriggerOrder', [symbol, 'limit', 'buy', AMOUNT, above, above], resting);
  await ask('fetchOpenOrders', [symbol], all('order'));
  await ask('fetchOrder', [placed.id, symbol], isOpen(one('order')));
  await ask('editOrder', [placed.id, symbol, 'limit', 'buy', '0.002'], isOpen(one('order')));
  await ask('cancelOrder', [placed.id, symbol], one('order'));
  const several = { symbol, type: 'limit', side: 'buy', amount: AMOUNT, price: below };
  const batch = await ask('createOrders', [[several, several]], (orders) => orders.flatMap(resting));
  await ask('cancelOrders', [batch.map(({ id }) => id), symbol], all('order'));
  const live = await ask('createOrderWs', [symbol, 'limit', 'buy', AMOUNT, below], resting);
  await ask('editOrderWs', [live.id, symbol, 'limit', 'buy', undefined, at(below, '0.9')], isOpen(one('order')));
  await ask('cancelOrderWs', [live.id, symbol], one('order'));
  await ask('cancelAllOrders', [symbol], all('ended'));
  await ask('createLimitBuyOrder', [symbol, AMOUNT, below], resting);
  await ask('cancelAllOrdersWs', [symbol], all('ended'));

  await ask('fetchTime', [], (time) => (Number.isInteger(time) ? [] : [`no time: ${time}`]));
  await ask('fetchStatus', [], one('status'));
  await ask('fetchCurrencies', [], each('currency'));
  await ask('fetchMarkets', [], (markets) => markets.flatMap((market) => problemsOf(exchange, 'market', market)));
  await ask('fetchTradingFee', [symbol], one('tradingFee'));
  await ask('fetchTradingFees', [], each('tradingFee'));
  await ask('fetchTicker', [symbol], one('ticker'));
  await ask('fetchTickers', [], each('ticker'));
  await ask('fetchL2OrderBook', [symbol, 20], one('book'));
  await ask('fetchOHLCV', [symbol, '1m', now - 10 * 60_000, 10], all('candle'));
  await ask('fetchTrades', [symbol, undefined, 500], all('trade', { isPublic: true }));
  await ask('fetchBalance', [], one('balance'));
  await ask('fetchOrders', [symbol], all('order'));
  await ask('fetchClosedOrders', [symbol], all('order'));
  const fills = await ask('fetchMyTrades', [symbol], all('trade'));
  await ask('fetchOrderTrades', [fills?.at(-1)?.order, symbol], all('trade'));
  await ask('fetchDeposits', [base], some('transaction', { code: base }));
  await ask('fetchWithdrawals', [base], some('transaction', { code: base }));

  for (const method of ['unWatchTicker', 'unWatchOrderBook', 'unWatchTrades', 'unWatchOHLCV', 'unWatchOrders'])
    await ask(method, [symbol], nothing);
  for (const method of ['unWatchTickers', 'unWatchOrderBookForSymbols', 'unWatchTradesForSymbols'])
    await ask(method, [both], nothing);
  await ask('unWatchMyTrades', [symbol], nothing);
  await ask('unWatchBalance', [], nothing);

  const declared = Object.keys(exchange.has).filter(
    (name) => exchange.has[name] && typeof exchange[name] === 'function',
  );
  for (const name of declared) problems[name] ??= ['it is declared and was not called'];
  return problems;
}
