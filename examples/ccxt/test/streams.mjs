// Opens many streams of one bot at once, and moves their markets until each has sent a message.
import ccxt from 'ccxt';

const { Precise } = ccxt;
/** An order that moves a market is worth so many times the least that it takes. */
const TIMES = '5';

/** Streams of a market: its book, ticker, trades, and the candles of each timeframe. */
const streamsOf = (exchange, symbol) => [
  ['watchOrderBook', symbol],
  ['watchTicker', symbol],
  ['watchTrades', symbol],
  ...Object.keys(exchange.timeframes).map((timeframe) => ['watchOHLCV', symbol, timeframe]),
];

/** Watches `count` streams; names those that send no message within `patienceMs`. `pause` is called between orders. */
export async function silentOf(exchange, count, patienceMs, pause) {
  const { symbols } = exchange;
  const wanted = symbols.flatMap((symbol) => streamsOf(exchange, symbol)).slice(0, count);
  if (wanted.length < count) throw new Error(`the exchange has ${wanted.length} streams`);
  const silent = new Set(wanted.map((stream) => stream.join(' ')));
  const failed = [];
  for (const [method, ...args] of wanted)
    exchange[method](...args).then(
      () => silent.delete([method, ...args].join(' ')),
      (error) => failed.push(`${method} ${args.join(' ')}: ${error.message}`),
    );
  const tickers = await exchange.fetchTickers(symbols);
  const until = Date.now() + patienceMs;
  while (silent.size > 0 && failed.length === 0 && Date.now() < until) {
    for (const symbol of symbols.filter((one) => [...silent].some((name) => name.includes(one)))) {
      const worth = Precise.stringMul(ccxt.numberToString(exchange.market(symbol).limits.cost.min), TIMES);
      const amount = Precise.stringDiv(worth, ccxt.numberToString(tickers[symbol].last));
      await exchange.createMarketOrder(symbol, 'buy', exchange.amountToPrecision(symbol, amount));
    }
    await pause();
  }
  for (const [method, ...args] of wanted) await exchange[method.replace('watch', 'unWatch')](...args);
  return [...silent, ...failed];
}
