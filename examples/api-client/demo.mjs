#!/usr/bin/env node
// Shows the client at work: balances, an order whose answer is lost on the way, its cancellation.
//   BOURSE_URL=http://127.0.0.1:8080 BOURSE_API_KEY=… BOURSE_API_SECRET=… node examples/api-client/demo.mjs
import { randomUUID } from 'node:crypto';
import { Bourse } from './bourse.mjs';

const { BOURSE_URL = 'http://127.0.0.1:8080', BOURSE_API_KEY, BOURSE_API_SECRET } = process.env;
if (!BOURSE_API_KEY || !BOURSE_API_SECRET) {
  console.error(
    'Set BOURSE_API_KEY and BOURSE_API_SECRET: make a key with the permission to trade under Security in the terminal.',
  );
  process.exit(2);
}

// A network that loses the answer of the first order: the order reaches the exchange, but its outcome is unknown.
let lost = false;
const lossy = async (url, options) => {
  const response = await fetch(url, options);
  if (options?.method !== 'POST' || lost) return response;
  lost = true;
  await response.arrayBuffer();
  throw new Error('the connection was lost before the answer came');
};

const exchange = new Bourse({ url: BOURSE_URL, key: BOURSE_API_KEY, secret: BOURSE_API_SECRET, fetch: lossy });
await exchange.syncClock();

console.log('Balances:');
for (const { currency_name: name, change_balance: free, lock_change_balance: held } of await exchange.balances())
  console.log(`  ${name.padEnd(5)} ${free} free, ${held} held`);

// Far below the market, so that it rests: BTC for USDT.
const order = { legalId: 3, currencyId: 1, side: 'buy', price: '1000.00', amount: '0.001' };
const idempotencyKey = randomUUID();
const placed = await exchange.placeLimit(order, idempotencyKey);
console.log(`Order ${placed.id} is placed${lost ? ' (its first answer was lost and asked for again)' : ''}.`);

const open = (await exchange.openOrders()).filter(({ target_price: price }) => Number(price) === Number(order.price));
console.log(`Open at that price: ${open.length}`);
const repeated = await exchange.placeLimit(order, idempotencyKey);
console.log(
  `The same command again answers order ${repeated.id}: ${repeated.id === placed.id ? 'the same' : 'ANOTHER'}`,
);
const { message } = await exchange.outcome(idempotencyKey);
console.log(`Its stored outcome: ${message}`);

const { remaining } = await exchange.cancel(placed.id);
console.log(`Cancelled with ${remaining} left.`);
