#!/usr/bin/env node
// A short bot: reads the book, places and cancels a limit order, buys at the market and sells again.
//   BOURSE_HOST=127.0.0.1:8080 BOURSE_API_KEY=… BOURSE_API_SECRET=… node examples/ccxt/demo.mjs [symbol] [amount]
import ccxt from 'ccxt';
import { bourse } from './bourse.mjs';

const { BOURSE_HOST: hostname = '127.0.0.1:8080', BOURSE_API_KEY: apiKey, BOURSE_API_SECRET: secret } = process.env;
const [symbol = 'BTC/USDT', amount = '0.001'] = process.argv.slice(2);
if (!apiKey || !secret) {
  console.error(
    'Set BOURSE_API_KEY and BOURSE_API_SECRET: make a key that may trade under Account settings, API keys.',
  );
  process.exit(2);
}
// Strings instead of numbers keep every digit of the exchange.
const exchange = new bourse({ hostname, apiKey, secret, number: String });
await exchange.loadMarkets();
const { base, quote } = exchange.market(symbol);

const book = await exchange.watchOrderBook(symbol);
const [[bid], [ask]] = [book.bids[0], book.asks[0]];
console.log(`${symbol}: ${bid} bid, ${ask} asked`);

// At twenty percent below the best bid the order rests.
const price = exchange.priceToPrecision(symbol, ccxt.Precise.stringMul(bid, '0.8'));
const changes = exchange.watchOrders(symbol);
const resting = await exchange.createOrder(symbol, 'limit', 'buy', amount, price);
console.log(`Order ${resting.id} for ${resting.amount} at ${resting.price} is ${resting.status}`);
console.log(`Told by the stream: ${(await changes).some(({ id }) => id === resting.id)}`);
const cancelled = await exchange.cancelOrder(resting.id, symbol);
console.log(`It is ${cancelled.status} with ${cancelled.filled} filled`);

const before = await exchange.fetchBalance();
const bought = await exchange.createOrder(symbol, 'market', 'buy', amount);
const sold = await exchange.createOrder(symbol, 'market', 'sell', amount);
for (const { id } of [bought, sold]) {
  const order = await ended(id);
  const fills = await exchange.fetchOrderTrades(id, symbol);
  console.log(`${order.side} ${order.filled} at ${order.average} in ${fills.length} fill(s): ${order.status}`);
}
const after = await exchange.fetchBalance();
console.log(`${base}: ${before.total[base]} before, ${after.total[base]} after`);
console.log(`${quote}: ${before.total[quote]} before, ${after.total[quote]} after`);
await exchange.close();

/** Waits until a market order has ended, which the stream reports. Returns the order. */
async function ended(id) {
  let order = await exchange.fetchOrder(id, symbol);
  while (order.status === 'open') {
    await exchange.watchOrders(symbol);
    order = await exchange.fetchOrder(id, symbol);
  }
  return order;
}
