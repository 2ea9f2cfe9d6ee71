#!/usr/bin/env node
/*
 * Orders by one socket against orders by HTTP, of one user with one connection each: answers per second. HTTP waits for
 * each answer, as one connection must; the socket has up to IN_FLIGHT under way. Every order rests far below the
 * market, and is cancelled with all the others at the end.
 *   BOURSE_URL=… BOURSE_API_KEY=… BOURSE_API_SECRET=… node loadtest/orders/bench-socket-orders.mjs
 *   SYMBOL=BTC/USDT PRICE=20000 AMOUNT=0.0001 SECONDS=10 IN_FLIGHT=20
 * The default rate limits (20 orders/s) are below what is measured here: RATE_SCALE=100, as in dev.
 */
import { Bourse } from '@bourse/sdk';

const env = (name, otherwise) => process.env[name] ?? otherwise;
const exchange = new Bourse({
  url: env('BOURSE_URL', 'http://127.0.0.1:8080'),
  key: env('BOURSE_API_KEY'),
  secret: env('BOURSE_API_SECRET'),
});
const [symbol, price, amount] = [env('SYMBOL', 'BTC/USDT'), env('PRICE', '20000'), env('AMOUNT', '0.0001')];
const ms = Number(env('SECONDS', '10')) * 1_000;
const inFlight = Number(env('IN_FLIGHT', '20'));

const { legal_id, currency_id } = await exchange.market(symbol);
const fields = { legal_id, currency_id, type: 1, target_price: price, amount };

/** Orders answered a second by so many senders, each of which waits for its answer. */
async function rate(senders, send) {
  const from = performance.now();
  const took = [];
  const one = async () => {
    while (performance.now() - from < ms) {
      const sent = performance.now();
      await send();
      took.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: senders }, one));
  const sorted = took.sort((a, b) => a - b);
  const at = (part) => sorted[Math.floor(part * (sorted.length - 1))].toFixed(1);
  return { perSecond: (took.length * 1_000) / (performance.now() - from), p50: at(0.5), p99: at(0.99) };
}

const stream = exchange.stream((error) => console.error(error.message));
await stream.ready();
const byCall = () => exchange.call('POST /api/coin/trade', fields, { patienceMs: 0 });
const bySocket = async () => {
  const { answer } = await stream.order('order.place', fields);
  if (answer.type !== 'ok') throw new Error(`refused: ${answer.key}`);
};
try {
  const [http, socket, alone] = [await rate(1, byCall), await rate(inFlight, bySocket), await rate(1, bySocket)];
  const line = (name, { perSecond, p50, p99 }) =>
    console.log(`${name.padEnd(28)} ${perSecond.toFixed(0).padStart(6)}/s   p50 ${p50} ms   p99 ${p99} ms`);
  line('HTTP, one at a time', http);
  line('socket, one at a time', alone);
  line(`socket, ${inFlight} under way`, socket);
  console.log(`ratio ${(socket.perSecond / http.perSecond).toFixed(1)}`);
} finally {
  stream.close();
  await exchange.cancelAll({ symbol });
}
