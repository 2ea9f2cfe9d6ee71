import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  CROSSED,
  folder,
  k6,
  k6With,
  mustPass,
  noDemo,
  passed,
  passOn,
  removeFolder,
  say,
  scripts,
  through,
} from '../lib/k6-tries.js';

/*
 * The scripts against a running exchange; its address is their only setting.
 */

jest.setTimeout(240_000);

const BASE = process.env['BOURSE_URL'] ?? '';
afterAll(removeFolder);

describe('a script of k6 with an address', () => {
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
    ['day', { SHAPE: 'most' }, 'reads_ok'],
    ['signin', { SHAPE: 'most' }, 'signins_ok'],
    ['deals', { RATE: '1' }, 'releases_ok'],
    // As many virtual users as people: each has a partner all the same.
    ['deals', { RATE: '1', VUS: '4' }, 'releases_ok'],
    ['sockets', { SOCKETS: '3', RATE: '3', VUS: '4' }, 'trades_received'],
    ['private', { SOCKETS: '3', RATE: '3', VUS: '4' }, 'order_updates'],
    ['lever', { RATE: '8' }, 'positions_ok'],
    ['micro', {}, 'contracts_ok'],
    ['savings', {}, 'terms_ok'],
    // Of so few calls one that a busy machine turns away is a third.
    ['withdrawals', { RATE: '1', TURNED_AWAY: '0.5' }, 'withdrawals_ok'],
    ['soak', { EVERY: '1', GROWTH: '9', LAG: '60000', WAITING: '100000' }, 'memory_mb'],
  ])('%s does its work and passes [LOAD-001]', async (script, more, counted) => {
    expect((await passed(script, more))[counted]).toBeGreaterThan(0);
  });

  test('the scenario that the page shows runs and passes [LOAD-009]', async () => {
    const page = readFileSync(join(scripts, 'README.md'), 'utf8');
    const shown = /^```js\n([\s\S]*?)^```/m.exec(page)?.[1] ?? '';
    expect(shown).toContain('export default function');
    const place = join(folder, 'page');
    mkdirSync(place);
    cpSync(join(scripts, 'lib'), join(place, 'lib'), { recursive: true });
    const script = join(place, 'mine.js');
    writeFileSync(script, shown);
    const counts = await passed(script);
    expect(counts['orders_ok']).toBeGreaterThan(0);
    expect(counts).toMatchObject({ compared_users: 2, compared_people: 4 });
  });

  // Whether a rate is held is a matter of the machine: that it is judged is not.
  test('a ramp judges each of its rates and reconciles [LOAD-012]', async () => {
    const { code, said } = await k6('orders', {
      SHAPE: 'ramp',
      FROM: '20',
      TO: '30',
      STEP: '10',
      STEP_SECONDS: '10',
      VUS: '10',
    });
    expect(code === 0 ? '' : said).toBe('');
    for (const rate of [20, 30])
      expect(said).toMatch(new RegExp(`^ {2}${rate}/s +[\\d.]+ % begun, p\\(99\\) \\S+.* of [1-9]\\d*, .*: \\w`, 'm'));
    expect(said).toMatch(/^(?:Highest rate that|No rate) held p\(99\)<60000: /m);
  });

  test('two processes share a run, each with people of its own [LOAD-010]', async () => {
    const shared = { INSTANCES: '2', VUS: '4', PEOPLE: '4', SECONDS: '3', GRACE: '2' };
    const run = (instance: number) =>
      k6With('orders', { ...shared, INSTANCE: `k6-${instance}` }, [
        '--execution-segment',
        `${instance - 1}/2:${instance}/2`,
        '--execution-segment-sequence',
        '0,1/2,1',
      ]);
    for (const counts of (await Promise.all([run(1), run(2)])).map(mustPass)) {
      expect(counts['orders_ok']).toBeGreaterThan(0);
      expect(counts).toMatchObject({ compared_users: 2, compared_people: 2 });
    }
  });

  test('an address without an exchange ends the run with one sentence [LOAD-015]', async () => {
    const server = createServer((_, answer) => answer.writeHead(404).end('nothing here'));
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const other = await k6('read', { BASE_URL: url });
    expect(other.code).not.toBe(0);
    expect(other.said).toContain(`${url} answers, but is no exchange: status 404 for /api/config`);
    await new Promise((ended) => server.close(ended));
    const none = await k6('orders', { BASE_URL: url });
    expect(none.code).not.toBe(0);
    expect(none.said).toContain(`${url} does not answer`);
    expect(none.said).toContain('FAILED: the run did not begin');
    expect(none.said.split('\n').length).toBeLessThan(15);
  });

  test('a threshold that is set from outside fails the run [LOAD-003]', async () => {
    const { code, said } = await k6('orders', { SHAPE: 'rate', RATE: '5', P99: '0' });
    expect(code).toBe(CROSSED);
    expect(said).toContain('FAILED: ');
    expect(said).toContain('order_ms p(99)<0');
  });
});

describe('a run that must fail', () => {
  test('an exchange that answers ok and does nothing fails the run [LOAD-004]', async () => {
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

  test('an exchange that executes a refused order is detected [LOAD-004]', async () => {
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

describe('a run that measures refusals', () => {
  const tooMany = { type: 'error', key: 'common.tooMany', params: { seconds: 1 }, message: 'no', request_id: 'none' };
  const isOrder = ({ method, url }: { method?: string; url?: string }): boolean =>
    method === 'POST' && url === '/api/coin/trade';

  test('fails and reports its refused calls; only processed calls have a latency [LOAD-007]', async () => {
    let orders = 0;
    await through(
      (asked, answer) => {
        if (!isOrder(asked) || (orders += 1) % 10 === 1) return false;
        asked.resume();
        return say(answer, 429, tooMany, { 'retry-after': '1' });
      },
      async (url) => {
        const { code, said, counts, shares } = await k6('orders', { BASE_URL: url, SHAPE: 'rate', RATE: '10' });
        expect(code).toBe(CROSSED);
        expect(said).toContain('FAILED: orders_accepted rate>=0.8; turned_away rate<=0.05');
        expect(said).toMatch(/of the calls were turned away: \d+ by a rate \(429\), 0 because something was away/);
        expect(said).toMatch(/Only [\d.]+ % of the orders were accepted \(refused: common\.tooMany \d+/);
        expect(shares['orders_accepted']).toBeLessThan(0.5);
        expect(counts['rate_limited']).toBeGreaterThan(0);
        expect(counts['turned_away_ms']).toBe(counts['rate_limited']);
        expect(counts['order_ms']).toBe(orders - counts['rate_limited']!);
        expect(counts).toMatchObject({ unreconciled: 0, compared_users: 2, compared_people: 4 });
      },
    );
  });

  test('fails and names the reason of the refusals [LOAD-007]', async () => {
    await through(
      (asked, answer) => {
        if (!isOrder(asked)) return false;
        asked.resume();
        return say(answer, 200, { type: 'error', key: 'balance.insufficient', message: 'no', request_id: 'none' });
      },
      async (url) => {
        const { code, said } = await k6('orders', { BASE_URL: url, SHAPE: 'rate', RATE: '10' });
        expect(code).toBe(CROSSED);
        expect(said).toContain('FAILED: orders_accepted rate>=0.8 (');
        expect(said).toMatch(/Only 0 % of the orders were accepted \(refused: balance\.insufficient \d+\)/);
      },
    );
  });

  test('an order that a rate has turned away and that exists all the same is found out [LOAD-004]', async () => {
    let orders = 0;
    await through(
      (asked, answer) => {
        if (!isOrder(asked) || (orders += 1) !== 3) return false;
        const onward = request(new URL(asked.url ?? '', BASE), { method: 'POST', headers: asked.headers }, (got) => {
          got.resume();
          say(answer, 429, tooMany);
        });
        asked.pipe(onward);
        return true;
      },
      async (url) => {
        const { code, said } = await k6('orders', { BASE_URL: url, SHAPE: 'rate', RATE: '5' });
        expect(code).toBe(CROSSED);
        expect(said).toContain('was refused:common.tooMany and exists as');
      },
    );
  });

  test('fails with a reason when turns cannot begin because answers are slow [LOAD-007]', async () => {
    await through(
      (asked, answer) => {
        if (!isOrder(asked)) return false;
        setTimeout(() => passOn(asked, answer), 1_000);
        return true;
      },
      async (url) => {
        const slow = { BASE_URL: url, SHAPE: 'rate', RATE: '20', VUS: '1', DROPPED: '0.05' };
        const { code, said } = await k6('orders', slow);
        expect(code).toBe(CROSSED);
        expect(said).toContain('dropped_iterations count<=3');
        expect(said).toMatch(/\d+ turns could not begin, because every virtual user was waiting/);
      },
    );
  });
});

describe('an install that is no demo', () => {
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

  test('requires accounts or keys, and names them [LOAD-005]', async () => {
    await through(noDemo, async (url) => {
      const { code, said } = await k6('orders', { BASE_URL: url });
      expect(code).not.toBe(0);
      expect(said).toContain('is no demo install: name people with -e ACCOUNTS=');
    });
  });

  test('is read by its address alone, by calls and sockets [LOAD-008]', async () => {
    await through(noDemo, async (url) => {
      const { code, said, counts, shares } = await k6('read', { BASE_URL: url, SECONDS: '5' });
      expect(code === 0 ? '' : said).toBe('');
      expect(counts).toMatchObject({ wrong_reads: 0, sockets_subscribed: 4, sockets_lost: 0, gaps: 0 });
      expect(counts['public_ms']).toBeGreaterThan(0);
      expect(shares['reads_ok']).toBe(1);
    });
  });

  test('that shows a crossed book is found out [LOAD-008]', async () => {
    const level = { price: '10', number: '1' };
    await through(
      (asked, answer) => {
        if (asked.url !== '/api/transaction/deal') return noDemo(asked, answer);
        asked.resume();
        return say(answer, 200, { type: 'ok', message: { symbol: 'BTC/USDT', in: [level], out: [level] } });
      },
      async (url) => {
        const { code, said } = await k6('read', { BASE_URL: url });
        expect(code).toBe(CROSSED);
        expect(said).toContain('WRONG: the book of BTC/USDT is crossed: 10 is bid and 10 asked');
        expect(said).toMatch(/\d+ answers contradict themselves/);
      },
    );
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
