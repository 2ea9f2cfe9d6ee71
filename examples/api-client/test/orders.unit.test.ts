import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/* The client in JavaScript: an order that it does not understand is not sent. */

test('a side that is none, and a field that a limit order does not have, are refused unsent [CLIENT-032]', async () => {
  const source = `import { Bourse } from '${new URL('../bourse.mjs', import.meta.url).href}';
const sent = [];
const fetch = (url, { body }) => {
  sent.push(body);
  return Promise.resolve(Response.json({ type: 'ok', message: '' }));
};
const exchange = new Bourse({ url: 'http://127.0.0.1:1', key: 'key', secret: 'secret', fetch });
const order = { legalId: 3, currencyId: 1, side: 'sell', price: '2', amount: '1' };
const told = [];
for (const wish of [{ side: 'SELL' }, { side: undefined }, { stopPrice: '1' }, { reduceOnly: true }, {}])
  told.push(await exchange.placeLimit({ ...order, ...wish }).then(() => 'sent', (error) => error.message));
console.log(JSON.stringify({ told, sent }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source]);
  expect(JSON.parse(stdout)).toEqual({
    told: [
      ...['an order has no side SELL', 'an order has no side undefined'],
      ...['a limit order has no stopPrice', 'a limit order has no reduceOnly', 'sent'],
    ],
    sent: ['legal_id=3&currency_id=1&type=2&target_price=2&amount=1'],
  });
});

test('after a lost answer a refusal of a gate leaves the outcome unknown, else it is final [CLIENT-052]', async () => {
  const source = `import { Bourse } from '${new URL('../bourse.mjs', import.meta.url).href}';
let isLost;
const fetch = () => {
  if (!isLost) return Promise.resolve(Response.json({ type: 'error', key: 'auth.frozen', message: '' }));
  isLost = false;
  return Promise.reject(new TypeError('lost'));
};
const exchange = new Bourse({ url: 'http://127.0.0.1:1', key: 'key', secret: 'secret', fetch });
const told = [];
for (isLost of [true, false])
  told.push(await exchange.cancel('1', 'key-of-mine').catch((error) => error.constructor.name));
console.log(JSON.stringify(told));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source]);
  expect(JSON.parse(stdout)).toEqual(['Unknown', 'Refused']);
});

test('an order that is turned away is refused in the end, after a lost answer unknown [CLIENT-066]', async () => {
  const source = `import { Bourse } from '${new URL('../bourse.mjs', import.meta.url).href}';
let lost;
let count;
let busy;
const fetch = () => {
  count += 1;
  // A late clock ends the waiting.
  now += 20_000;
  if (count === 1 && lost) return lost();
  return Promise.resolve(Response.json({ type: 'error', key: busy[1], message: '' }, { status: busy[0] }));
};
let now = Date.now();
Date.now = () => now;
const exchange = new Bourse({ url: 'http://127.0.0.1:1', key: 'key', secret: 'secret', fetch });
const told = [];
const hangUp = () => Promise.reject(new TypeError('lost'));
const page = () => Promise.resolve(Response.json({ error: 'timeout' }, { status: 504 }));
for (busy of [[429, 'common.tooMany'], [503, 'common.unavailable'], [503, 'market.paused']])
  for (lost of [undefined, hangUp, page]) {
    count = 0;
    const error = await exchange.cancel('1', 'key-of-mine').catch((error) => error);
    told.push([error.constructor.name, error.key ?? null, count]);
  }
console.log(JSON.stringify(told));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source]);
  expect(JSON.parse(stdout)).toEqual([
    ...[['Refused', 'common.tooMany', 2], ...Array.from({ length: 2 }, () => ['Unknown', null, 2])],
    ...[['Refused', 'common.unavailable', 2], ...Array.from({ length: 2 }, () => ['Unknown', null, 2])],
    ...[['Refused', 'market.paused', 1], ...Array.from({ length: 2 }, () => ['Unknown', null, 2])],
  ]);
});

test('a command overtakes no earlier one of the same order, which is sent again [CLIENT-077]', async () => {
  const source = `import { setTimeout as sleep } from 'node:timers/promises';
import { Bourse } from '${new URL('../bourse.mjs', import.meta.url).href}';
let sent = [];
const ends = new Map();
const fetch = (url, { method, body }) => {
  const name = [method, url.split('/api/coin/')[1], body].join(' ');
  sent.push(name);
  return new Promise((resolve, reject) => ends.set(name, { resolve, reject }));
};
const exchange = new Bourse({ url: 'http://127.0.0.1:1', key: 'key', secret: 'secret', fetch });
const told = [];
const news = async (ms = 20) => {
  await sleep(ms);
  told.push(sent.splice(0));
};
const end = (name) => ends.get(name).resolve(Response.json({ type: 'ok' }));
const pair = { legal_id: 3, currency_id: 1 };
const calls = [
  exchange.command('POST', '/api/coin/trade', { client_order_id: 'a', ...pair }),
  exchange.command('PUT', '/api/coin/trade', { client_order_id: 'a' }),
  exchange.command('POST', '/api/coin/cancel_all', pair),
  exchange.command('POST', '/api/coin/trade', pair),
  exchange.command('POST', '/api/coin/trade', { legal_id: 3, currency_id: 2 }),
];
await news();
ends.get('POST trade client_order_id=a&legal_id=3&currency_id=1').reject(new TypeError('lost'));
await news(350);
for (const name of ['trade client_order_id=a&legal_id=3&currency_id=1', 'trade legal_id=3&currency_id=2'])
  end('POST ' + name);
await news();
end('PUT trade client_order_id=a');
await news();
end('POST cancel_all legal_id=3&currency_id=1');
await news();
end('POST trade legal_id=3&currency_id=1');
await Promise.all(calls);
console.log(JSON.stringify(told));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source]);
  const order = 'POST trade client_order_id=a&legal_id=3&currency_id=1';
  expect(JSON.parse(stdout)).toEqual([
    ...[[order, 'POST trade legal_id=3&currency_id=2'], [order], ['PUT trade client_order_id=a']],
    ...[['POST cancel_all legal_id=3&currency_id=1'], ['POST trade legal_id=3&currency_id=1']],
  ]);
});

test('a defect of the exchange leaves the outcome open: the command is sent again [CLIENT-150]', async () => {
  const source = `import { Bourse } from '${new URL('../bourse.mjs', import.meta.url).href}';
const keys = [];
const fetch = (_, { headers }) => {
  keys.push(headers['idempotency-key']);
  return Promise.resolve(
    keys.length === 1
      ? Response.json({ type: 'error', key: 'common.defect', message: '' }, { status: 500 })
      : Response.json({ type: 'ok', message: '', id: '7' }),
  );
};
const exchange = new Bourse({ url: 'http://127.0.0.1:1', key: 'key', secret: 'secret', fetch });
const { id } = await exchange.cancel('7', 'key-of-mine');
console.log(JSON.stringify([id, keys]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source]);
  expect(JSON.parse(stdout)).toEqual(['7', ['key-of-mine', 'key-of-mine']]);
});
