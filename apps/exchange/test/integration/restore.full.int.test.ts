import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { ExchangeProcess } from './exchange-process.js';
import { settled } from './trading-log.js';

jest.setTimeout(testTimeoutMs(120_000));

interface Body {
  readonly type: string;
  readonly key?: string;
  readonly id?: string;
  readonly message: unknown;
}
interface Reconciliation {
  readonly ok: number;
  readonly breakers: readonly { readonly scope: string; readonly mode: string }[];
}
interface Found {
  readonly lost: readonly { readonly stream: string; readonly from: number; readonly to: number }[];
  readonly faults: readonly object[];
}

const TOOL = fileURLToPath(new URL('../../../../tools/reconcile.mjs', import.meta.url));
let exchange: ExchangeProcess;
let trader = '';
let operator = '';
beforeAll(async () => {
  exchange = await ExchangeProcess.create('restore', { MAKER: 'off', PRICE_FEED: 'simulated' });
  await start();
});
afterAll(async () => {
  await exchange.dispose();
});

async function call(
  method: string,
  path: string,
  fields: Readonly<Record<string, string>> = {},
  token = trader,
): Promise<Body> {
  const query = method === 'GET' ? `?${new URLSearchParams(fields).toString()}` : '';
  const response = await fetch(`${exchange.url}${path}${query}`, {
    method,
    signal: AbortSignal.timeout(testTimeoutMs(6_000)),
    headers: {
      authorization: token,
      ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(method === 'GET' ? {} : { body: new URLSearchParams(fields).toString() }),
  });
  return (await response.json()) as Body;
}
async function start(): Promise<void> {
  await exchange.start();
  trader = (await call('POST', '/api/user/login', { user_string: 'trader3@demo.bourse', password: 'Harbor-2468' }, ''))
    .message as string;
  operator = (await call('POST', '/api/admin/login', { username: 'operator', password: 'Harbor-2468' }, ''))
    .message as string;
}
/** An order far from the market, which rests. */
const order = (): Promise<Body> =>
  call('POST', '/api/coin/trade', {
    legal_id: '3',
    currency_id: '1',
    type: '1',
    target_price: '20000.00',
    amount: '0.001',
  });
const open = async (): Promise<string[]> =>
  ((await call('GET', '/api/coin/list', { status: '1', limit: '100' })).message as { data: { id: string }[] }).data.map(
    ({ id }) => id,
  );
const breaker = (scope: string, mode: string): Promise<Body> =>
  call('POST', '/api/admin/breaker', { scope, mode, reason: 'after a restore' }, operator);
const audit = async (): Promise<Reconciliation> => (await call('GET', '/dev/audit')).message as Reconciliation;

/** `npx bourse reconcile` on the folder of the test. */
const reconcile = (...args: string[]): Promise<{ code: number; out: string }> =>
  new Promise((resolve) => {
    const { DATABASE_URL: _none, ...env } = process.env;
    execFile(
      process.execPath,
      [TOOL, '--data-dir', exchange.dataDir, ...args],
      { env: { ...env, NODE_OPTIONS: '' } },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, out: `${stdout}${stderr}` });
      },
    );
  });
const remembered = (): string[] => readdirSync(exchange.dataDir).filter((name) => /^heads-.*\.json$/.test(name));

test('a database set back is compared, accepted and opened again: its books balance [LOG-044]', async () => {
  const kept = await order();
  expect(kept.type).toBe('ok');
  await exchange.stop();
  const cluster = join(exchange.dataDir, 'postgres');
  const copy = `${exchange.dataDir}-copy`;
  try {
    execFileSync('cp', ['-a', '--no-target-directory', cluster, copy]);
    await start();
    const lost = [await order(), await order()];
    const placed = [kept.id, ...lost.map(({ id }) => id)];
    // An order is taken before its book has committed it, where that takes longer than 100 ms.
    const listed = await settled(open, (ids) => placed.every((id) => ids.includes(String(id))));
    expect(listed).toEqual(expect.arrayContaining(placed));
    expect(await reconcile('--json')).toMatchObject({
      code: 2,
      out: expect.stringContaining('An exchange works on this database'),
    });
    await exchange.stop();
    // The copy takes its place.
    rmSync(cluster, { recursive: true });
    execFileSync('cp', ['-a', '--no-target-directory', copy, cluster]);

    const told = await reconcile('--json');
    expect(told.code).toBe(1);
    const found = JSON.parse(told.out) as Found;
    expect(found.faults).toEqual([]);
    expect(found.lost.map(({ stream }) => stream)).toContain('ledger.0>spot.commands/0');
    expect(remembered()).toHaveLength(1);
    const accepted = await reconcile('--accept');
    expect(accepted).toMatchObject({ code: 0, out: expect.stringContaining('Accepted') });
    expect([
      remembered(),
      readdirSync(exchange.dataDir).filter((name) => /^heads-.*\.json\./.test(name)).length,
    ]).toEqual([[], 1]);

    await start();
    expect(await open()).toEqual([kept.id]);
    expect((await order()).type).not.toBe('ok');
    const still = await audit();
    expect(still.ok).toBe(1);
    expect(still.breakers.find(({ scope }) => scope === 'withdraw')?.mode).toBe('cancel_only');
    await eventually(async () => (await breaker('all', 'normal')).type === 'ok', 36_000);
    expect((await order()).type).toBe('ok');
    expect((await audit()).ok).toBe(1);
  } finally {
    if (existsSync(copy)) rmSync(copy, { recursive: true });
  }
});
