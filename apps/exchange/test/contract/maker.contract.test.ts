import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { eventually, testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, get, post } from './client.js';
import { createTrader, done, FUND, type Funds } from './people.js';

jest.setTimeout(testTimeoutMs(60_000));

const place = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const MAKER = place('../../../../examples/ccxt/maker.mjs');

type Open = RowOf<'GET /api/coin/list'>;

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** A market maker of a person with these funds, which can be started. */
async function createMaker(funds: Funds['change']) {
  const { token } = await createTrader({ change: funds });
  const made = await done(
    post('/api/apikey', { label: 'maker', permissions: 'read,trade', password: FUND }, { token }),
  );
  const { key, secret } = made.message;
  let said = '';
  const open = async (): Promise<Open[]> => {
    const { message } = await done(get('/api/coin/list', { status: 1, limit: 100 }, { token }));
    return message.data;
  };
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, [MAKER, 'BTC/USDT'], {
      env: {
        PATH: process.env['PATH'],
        BOURSE_HOST: new URL(BASE).host,
        BOURSE_API_KEY: key,
        BOURSE_API_SECRET: secret,
        // Far from the market, so that no order is filled; the middle moves by less than a quarter of the spread.
        SPREAD: '0.2',
        LEVELS: '1',
        SIZE: '0.001',
        MOST: '0.01',
      },
    });
    for (const output of [child.stdout, child.stderr]) output.on('data', (text: Buffer) => (said += text.toString()));
    running.push(child);
    return child;
  };
  /** Its open orders, once they are those of these types. */
  const quotes = (types: readonly number[]): Promise<Open[]> =>
    eventually(async () => {
      const found = (await open()).filter(({ client_order_id: name }) => name.startsWith('maker-'));
      expect([said, found.map(({ type }) => type).sort()]).toEqual([said, types]);
      return found;
    }, 20_000);
  return { token, open, start, quotes, said: () => said };
}

test('a killed market maker takes back its orders at its next start, and all when it ends [CLIENT-044]', async () => {
  const { token, open, start, quotes, said } = await createMaker({ 1: '1', 3: '100000' });
  // The maker does not touch other orders of the account.
  const own = await done(
    post(
      '/api/coin/trade',
      { legal_id: 3, currency_id: 1, type: 1, amount: '0.01', target_price: '1000', client_order_id: 'by-hand' },
      { token },
    ),
  );
  const first = start();
  const before = await quotes([1, 2]);
  const killed = once(first, 'exit');
  first.kill('SIGKILL');
  await killed;
  expect(await open()).toHaveLength(3);

  const second = start();
  await eventually(async () => {
    const names = (await quotes([1, 2])).map(({ id }) => id);
    return names.every((id) => !before.some((one) => one.id === id));
  }, 20_000);
  const ended = once(second, 'exit');
  // As when a terminal and its shell both pass it on.
  second.kill('SIGTERM');
  setTimeout(() => second.kill('SIGTERM'), 50);
  expect(await ended).toEqual([0, null]);
  expect((await open()).map(({ id }) => id)).toEqual([own.id]);
  expect(said()).toContain('Ended; no order is left.');
});

test('a market maker without funds for one side quotes the other, and leaves no order [CLIENT-062]', async () => {
  const { open, start, quotes, said } = await createMaker({ 3: '100000' });
  const maker = start();
  await quotes([1]);
  await eventually(() => said().includes('not enough funds'), 20_000);
  await quotes([1]);
  const ended = once(maker, 'exit');
  maker.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await open()).toEqual([]);
});
