#!/usr/bin/env node
// A market maker: quotes around the middle of the book, never beyond its inventory limits, and cancels its orders when
// it ends. After a crash it cancels the orders that it left when it starts again.
//   BOURSE_HOST=127.0.0.1:8080 BOURSE_API_KEY=… BOURSE_API_SECRET=… node examples/ccxt/maker.mjs [symbol]
//   SIZE of an order (0.001), LEVELS a side (2), SPREAD between levels as a part of the price (0.002)
//   TARGET: how much of the base coin it wants to have (its balance at the start)
//   MOST: how far its balance may be from that (0.01)
import { randomUUID } from 'node:crypto';
import ccxt from 'ccxt';
import { bourse } from './bourse.mjs';
import { isStale, middleOf, quotesOf } from './quotes.mjs';

const { BOURSE_HOST: hostname = '127.0.0.1:8080', BOURSE_API_KEY: apiKey, BOURSE_API_SECRET: secret } = process.env;
const { SIZE: size = '0.001', LEVELS = '2', SPREAD: spread = '0.002', MOST: most = '0.01', TARGET } = process.env;
const [symbol = 'BTC/USDT'] = process.argv.slice(2);
if (!apiKey || !secret) {
  console.error(
    'Set BOURSE_API_KEY and BOURSE_API_SECRET: make a key that may trade under Account settings, API keys.',
  );
  process.exit(2);
}
/**
 * The maker recognises its orders by their names, also after a crash; it does not touch other orders of the account.
 */
const MARK = 'maker-';
/** Errors after which it goes on. */
const PASSING = [ccxt.NetworkError, ccxt.InvalidOrder, ccxt.MarketClosed];
const PAUSE_MS = 1_000;
/** How long to keep trying to cancel the remaining orders at exit, ms. */
const END_MS = 60_000;

const exchange = new bourse({ hostname, apiKey, secret, number: String });
let ending = false;
for (const signal of ['SIGINT', 'SIGTERM'])
  // A signal to the whole process group, as of Ctrl-C or `timeout`, may arrive twice.
  process.on(signal, () => {
    ending = true;
    // Pending calls end with the connection.
    void exchange.close();
  });

await exchange.loadMarkets();
const { base } = exchange.market(symbol);
const held = async () => (await exchange.fetchBalance()).total[base] ?? '0';
const limits = { spread, levels: Number(LEVELS), size, target: TARGET ?? (await held()), most };
await takeBack();
console.log(`Quoting ${symbol}; ${base} between ±${most} around ${limits.target}`);
let before;
try {
  while (!ending) await turn();
} finally {
  await takeBackAll();
  console.log('Ended; no order is left.');
}
process.exit(0);

async function turn() {
  try {
    const now = { mid: await middle(), held: await held() };
    if (!isStale(before, now, limits)) return;
    await takeBack();
    // After the cancels, so that the balance has every fill of an old order.
    now.held = await held();
    await quote(now);
    before = now;
  } catch (error) {
    if (ending) return;
    // The exchange does not answer, the market is paused, or it has moved meanwhile: quote again.
    if (!PASSING.some((kind) => error instanceof kind)) throw error;
    console.error(`${error.constructor.name}: ${error.message}`);
    before = undefined;
    await exchange.sleep(PAUSE_MS);
  }
}

/** The middle of the best prices, own orders included: to leave those out their sizes would be needed. */
async function middle() {
  // An empty book has no price to quote around: the next change may bring one.
  for (;;) {
    const mid = middleOf(await exchange.watchOrderBook(symbol));
    if (mid !== undefined) return mid;
    // The price of the last trade, where nobody else quotes and the own orders were taken back.
    const { last } = await exchange.fetchTicker(symbol);
    if (last !== undefined) return last;
  }
}

async function quote(now) {
  // Sides that have no funds for another level.
  const spent = new Set();
  for (const { side, price, amount } of quotesOf(now, limits)) {
    if (ending) return;
    if (spent.has(side)) continue;
    const at = exchange.priceToPrecision(symbol, price);
    const params = { postOnly: true, clientOrderId: `${MARK}${randomUUID().slice(0, 18)}` };
    try {
      await exchange.createOrder(symbol, 'limit', side, exchange.amountToPrecision(symbol, amount), at, params);
      console.log(`${side} ${amount} at ${at}`);
    } catch (error) {
      if (!(error instanceof ccxt.InsufficientFunds)) throw error;
      console.error(`${side} ${amount} at ${at}: not enough funds`);
      spent.add(side);
    }
  }
}

/** Cancels the open orders of the maker. */
async function takeBack() {
  const open = await exchange.fetchOpenOrders(symbol);
  for (const { id, clientOrderId } of open) {
    if (!clientOrderId?.startsWith(MARK)) continue;
    await exchange.cancelOrder(id, symbol).catch((error) => {
      // Filled meanwhile.
      if (!(error instanceof ccxt.OrderNotFound)) throw error;
    });
  }
}

/** Repeats `takeBack` while the exchange does not answer or the market is halted. */
async function takeBackAll() {
  for (const until = Date.now() + END_MS; ; await exchange.sleep(PAUSE_MS))
    try {
      return await takeBack();
    } catch (error) {
      if (!PASSING.some((kind) => error instanceof kind) || Date.now() > until) throw error;
      console.error(`${error.constructor.name}: ${error.message}`);
    }
}
