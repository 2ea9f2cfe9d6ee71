import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

/*
 * The scripts against a running exchange whose address is all they are told. How fast it is is not looked at: P99 is
 * out of reach.
 */

jest.setTimeout(240_000);

const BASE = process.env['BOURSE_URL'] ?? '';
const K6 = process.env['K6'] ?? 'k6';
const scripts = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bourse-k6-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SHORT = { VUS: '2', PEOPLE: '4', SECONDS: '3', GRACE: '2', P99: '60000' };
const CROSSED = 99;

interface Run {
  readonly code: number | null;
  readonly said: string;
  readonly counts: Readonly<Record<string, number>>;
}

let serial = 0;
/** Runs a script to its end. */
async function k6(script: string, more: Readonly<Record<string, string>> = {}): Promise<Run> {
  const summary = join(folder, `summary-${(serial += 1)}.json`);
  const given = { BASE_URL: BASE, ...SHORT, ...more, SUMMARY: summary };
  const child = spawn(
    K6,
    [
      'run',
      '--quiet',
      '--no-color',
      ...Object.entries(given).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    ].concat(join(scripts, `${script}.js`)),
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'], HOME: folder, K6_NO_USAGE_REPORT: 'true' } },
  );
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  let counts: Record<string, number> = {};
  try {
    const metrics = JSON.parse(readFileSync(summary, 'utf8')) as Record<string, { values: { count?: number } }>;
    counts = Object.fromEntries(Object.entries(metrics).map(([name, { values }]) => [name, values.count ?? 0]));
  } catch (error) {
    // A run that was refused before it began has none.
    if (code === 0) throw error;
  }
  return { code, said, counts };
}

/** A run that passed, with what it said when it did not. */
async function passed(script: string, more: Readonly<Record<string, string>> = {}): Promise<Run['counts']> {
  const { code, said, counts } = await k6(script, more);
  expect(code === 0 ? '' : said).toBe('');
  expect(counts['unreconciled'] ?? 0).toBe(0);
  return counts;
}

describe('a script of k6 that is told an address', () => {
  test('makes its people, trades, reconciles, and does so again on one install [LOAD-001] [LOAD-002]', async () => {
    for (let times = 0; times < 2; times += 1) {
      const counts = await passed('orders');
      expect(counts['orders_ok']).toBeGreaterThan(0);
      expect(counts['compared']).toBeGreaterThanOrEqual(counts['orders_ok'] ?? Infinity);
      expect(counts).toMatchObject({ compared_users: 2, compared_people: 4 });
    }
  });

  test.each([
    ['day', { SYMBOLS: 'BTC/USDT,XRP/USDT' }, 'reads_ok'],
    ['signin', {}, 'signins_ok'],
    ['deals', { RATE: '1' }, 'releases_ok'],
    ['sockets', { SOCKETS: '3', RATE: '3' }, 'trades_received'],
  ])('%s does its work and passes [LOAD-001]', async (script, more, counted) => {
    expect((await passed(script, more))[counted]).toBeGreaterThan(0);
  });

  test('a threshold that is set from outside fails the run [LOAD-003]', async () => {
    const { code, said } = await k6('orders', { SHAPE: 'rate', RATE: '5', P99: '0' });
    expect(code).toBe(CROSSED);
    expect(said).toContain('FAILED: ');
    expect(said).toContain('order_ms p(99)<0');
  });
});

/** An exchange as it is seen through somebody who changes some of its answers. */
async function through(
  change: (asked: IncomingMessage, answer: ServerResponse) => boolean,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer((asked, answer) => {
    if (change(asked, answer)) return;
    const target = new URL(asked.url ?? '/', BASE);
    const onward = request(
      target,
      { method: asked.method, headers: { ...asked.headers, host: target.host } },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      },
    );
    onward.once('error', () => answer.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const say = (answer: ServerResponse, status: number, body: object): boolean => {
  answer.writeHead(status, { 'content-type': 'application/json' });
  answer.end(JSON.stringify(body));
  return true;
};

describe('a run that must fail', () => {
  test('an exchange that says ok and does nothing is found out [LOAD-004]', async () => {
    let orders = 0;
    await through(
      (asked, answer) => {
        if (asked.method !== 'POST' || asked.url !== '/api/coin/trade' || (orders += 1) !== 3) return false;
        asked.resume();
        return say(answer, 200, { type: 'ok', message: 'placed', id: '1', request_id: 'none' });
      },
      async (url) => {
        const { code, said, counts } = await k6('orders', { BASE_URL: url });
        expect(code).toBe(CROSSED);
        expect(counts['unreconciled']).toBe(1);
        expect(said).toContain('was accepted as 1 and is lost');
      },
    );
  });

  test('an exchange that does what it refused is found out [LOAD-004]', async () => {
    let orders = 0;
    await through(
      (asked, answer) => {
        if (asked.method !== 'POST' || asked.url !== '/api/coin/trade' || (orders += 1) !== 3) return false;
        const onward = request(new URL(asked.url, BASE), { method: 'POST', headers: asked.headers }, (got) => {
          got.resume();
          say(answer, 200, { type: 'error', key: 'balance.insufficient', message: 'no', request_id: 'none' });
        });
        asked.pipe(onward);
        return true;
      },
      async (url) => {
        const { code, said } = await k6('orders', { BASE_URL: url, SHAPE: 'rate', RATE: '3' });
        expect(code).toBe(CROSSED);
        expect(said).toContain('was refused:balance.insufficient and exists as');
      },
    );
  });
});

describe('an install that is no demo', () => {
  const noDemo = (asked: IncomingMessage, answer: ServerResponse): boolean =>
    asked.url?.startsWith('/dev/') === true &&
    say(answer, 404, { type: 'error', key: 'common.noRoute', message: 'none', request_id: 'none' });
  /** A call that must be granted. */
  const post = async (path: string, fields: Record<string, string>, token = ''): Promise<{ message: unknown }> => {
    const response = await fetch(`${BASE}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: token ? { authorization: token } : {},
    });
    const body = (await response.json()) as { type: string; message: unknown };
    expect(body).toMatchObject({ type: 'ok' });
    return body;
  };
  const accounts = join(folder, 'accounts.csv');
  const keys = join(folder, 'keys.csv');
  beforeAll(async () => {
    writeFileSync(accounts, '# account,password\ntrader1@demo.bourse,Harbor-2468\ntrader2@demo.bourse,Harbor-2468\n');
    const lines = [];
    for (const name of ['trader1', 'trader2']) {
      const { message: token } = await post('/api/user/login', {
        user_string: `${name}@demo.bourse`,
        password: 'Harbor-2468',
      });
      const { message } = await post(
        '/api/apikey',
        { label: 'load', permissions: 'read,trade', password: 'fund66' },
        token as string,
      );
      const { key, secret } = message as { key: string; secret: string };
      lines.push(`${key},${secret}`);
    }
    writeFileSync(keys, `${lines.join('\n')}\n`);
  });

  test('wants accounts or keys, and says so [LOAD-005]', async () => {
    await through(noDemo, async (url) => {
      const { code, said } = await k6('orders', { BASE_URL: url });
      expect(code).not.toBe(0);
      expect(said).toContain('is no demo install: name people with -e ACCOUNTS=');
    });
  });

  test('is loaded by accounts and by API keys, and reconciled [LOAD-005]', async () => {
    await through(noDemo, async (url) => {
      const slow = { BASE_URL: url, SHAPE: 'rate', RATE: '4' };
      for (const [name, file] of [
        ['ACCOUNTS', accounts],
        ['KEYS', keys],
      ] as const) {
        const counts = await passed('orders', { ...slow, [name]: file });
        expect(counts['orders_ok']).toBeGreaterThan(0);
        expect(counts['compared_people']).toBe(2);
      }
    });
  });
});
