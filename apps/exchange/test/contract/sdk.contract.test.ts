import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, call, post } from './client.js';
import { createTrader, done, FUND } from './people.js';

jest.setTimeout(testTimeoutMs(15_000));

/* @bourse/sdk as it is published: the built file, in processes of its own. */

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
// Inside of the clone, where the package is found by its name.
const folder = mkdtempSync(join(ROOT, 'libs/sdk/dist/readme-'));
let token: string;
let key: { readonly key: string; readonly secret: string };

beforeAll(async () => {
  ({ token } = await createTrader({ change: { 1: '1', 3: '10000' } }));
  const made = await done(post('/api/apikey', { label: 'sdk', permissions: 'read,trade', password: FUND }, { token }));
  key = made.message;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await call('DELETE', '/api/apikey', { key: key.key, password: FUND }, { token });
});

async function run(source: string): Promise<string> {
  const file = join(folder, `${String(Math.abs(hash(source)))}.mjs`);
  writeFileSync(file, source);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], {
    env: { PATH: process.env['PATH'], BOURSE_URL: BASE, BOURSE_API_KEY: key.key, BOURSE_API_SECRET: key.secret },
    timeout: 40_000,
  });
  expect(stderr).toBe('');
  return stdout;
}
const hash = (text: string): number => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
const OPEN = `
import { ApiError, Bourse, NetworkError, sign } from '@bourse/sdk';
const options = { url: process.env.BOURSE_URL, key: process.env.BOURSE_API_KEY, secret: process.env.BOURSE_API_SECRET };
const told = (name, value) => console.log(name + ' ' + JSON.stringify(value));
`;

test('the example of its README runs [API-030]', async () => {
  const [, example = ''] = /```js\n([\s\S]+?)```/.exec(readFileSync(`${ROOT}libs/sdk/README.md`, 'utf8')) ?? [];
  expect(await run(example)).toMatch(
    /^best bid ([\d.]+|none)\norder for 0\.010000 is open: true\nlive book of BTC\/USDT\ncancelled by user\n$/,
  );
});

test('signatures are those of the contract [API-031]', async () => {
  const body = 'legal_id=3&currency_id=1&type=1&target_price=56000&amount=0.01';
  const call = { method: 'POST', path: '/api/coin/trade', timestamp: '1767225600000', body };
  expect(await run(`${OPEN}told('is', await sign('demo-secret', ${JSON.stringify(call)}));`)).toBe(
    'is "e4062579788def45d2f277c94e703985c82114774eb50a9fab12a956553d78ca"\n',
  );
});

test('a call with a lost answer is repeated under the same key: one order [API-032]', async () => {
  const output = await run(`${OPEN}
let lost = 0;
const lossy = async (url, init) => {
  const answer = await fetch(url, init);
  if (init?.method !== 'POST' || lost > 0) return answer;
  lost += 1;
  await answer.arrayBuffer();
  throw new Error('the connection was lost');
};
const exchange = new Bourse({ ...options, fetch: lossy });
const order = await exchange.placeOrder({ symbol: 'BTC/USDT', side: 'buy', price: '1002.00', amount: '0.01' });
const open = (await exchange.openOrders()).filter((one) => one.target_price === '1002.00');
told('lost', lost);
told('open', open.map((one) => one.id === order.id));
told('cancelled', (await exchange.cancelOrder(order.id)).cancelled);
`);
  expect(output).toBe('lost 1\nopen [true]\ncancelled 1\n');
});

test('refusals carry their key; silence is a network error [API-033]', async () => {
  const output = await run(`${OPEN}
const exchange = new Bourse(options);
const kind = (error) => [error instanceof ApiError, error instanceof NetworkError, error.key ?? null];
const order = { symbol: 'BTC/USDT', side: 'buy', price: '50000', amount: '100000' };
told('refused', await exchange.placeOrder(order).catch(kind));
told('forged', await new Bourse({ ...options, secret: 'another' }).balances().catch(kind));
told('silent', await new Bourse({ ...options, url: 'http://127.0.0.1:9' }).balances().catch(kind));
`);
  expect(output).toBe(
    'refused [true,false,"balance.insufficient"]\nforged [true,false,"apikey.signature"]\nsilent [false,true,null]\n',
  );
});
