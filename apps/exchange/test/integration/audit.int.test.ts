import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { ExchangeProcess } from './exchange-process.js';
import { TradingLog } from './trading-log.js';

jest.setTimeout(600_000);
/** Within this time several rounds under load must be over, on a machine that has other work. */
const UNDER_LOAD_MS_MAX = 180_000;

interface Answer {
  readonly status: number;
  readonly body: {
    readonly type: string;
    readonly key?: string;
    readonly id?: string;
    readonly params?: Readonly<Record<string, string>>;
    readonly message: unknown;
  };
}
interface Reconciliation {
  readonly ok: number;
  readonly checks: readonly { readonly name: string; readonly ok: number; readonly detail: string }[];
  readonly breakers: readonly { readonly scope: string; readonly mode: string }[];
}

let exchange: ExchangeProcess;
let database: pg.Client;
let trader = '';
let operator = '';

async function call(
  method: string,
  path: string,
  fields: Readonly<Record<string, string>> = {},
  token = '',
): Promise<Answer> {
  const response = await fetch(`${exchange.url}${path}`, {
    method,
    signal: AbortSignal.timeout(30_000),
    headers: {
      ...(token ? { authorization: token } : {}),
      ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(method === 'GET' ? {} : { body: new URLSearchParams(fields).toString() }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
const signIn = async (): Promise<void> => {
  trader = (await call('POST', '/api/user/login', { user_string: 'trader3@demo.bourse', password: 'Harbor-2468' })).body
    .message as string;
  operator = (await call('POST', '/api/admin/login', { username: 'operator', password: 'Harbor-2468' })).body
    .message as string;
};
/** What the last round found; asking starts none. */
const shown = async (): Promise<Reconciliation> =>
  (await call('GET', '/api/admin/reconciliation', {}, operator)).body.message as Reconciliation;
/** A round now. */
const audit = async (): Promise<Reconciliation> => (await call('GET', '/dev/audit')).body.message as Reconciliation;
const breaker = (scope: string, mode: string, token = operator): Promise<Answer> =>
  call('POST', '/api/admin/breaker', { scope, mode, reason: 'a test of the auditor' }, token);
const order = (price = '50000.00'): Promise<Answer> =>
  call(
    'POST',
    '/api/coin/trade',
    { legal_id: '3', currency_id: '1', type: '1', target_price: price, amount: '0.001' },
    trader,
  );
const transfer = (): Promise<Answer> =>
  call('POST', '/api/wallet/change', { currency_id: '3', from: 'change', to: 'legal', number: '1' }, trader);
const mode = ({ breakers }: Reconciliation, scope: string): string | undefined =>
  breakers.find((one) => one.scope === scope)?.mode;
const standsStill = (now: Reconciliation): boolean =>
  now.breakers.filter(({ scope }) => scope.includes('/')).every((one) => one.mode === 'cancel_only') &&
  mode(now, 'withdraw') !== 'normal';

/** As somebody would who has all rights on the database. */
async function plant(sql: string): Promise<number> {
  await database.query('set session_replication_role = replica');
  try {
    return (await database.query(sql)).rowCount ?? 0;
  } finally {
    await database.query('set session_replication_role = default');
  }
}
async function one(sql: string): Promise<Record<string, string>> {
  const {
    rows: [row],
  } = await database.query<Record<string, string>>(sql);
  if (!row) throw new Error(`nothing is there: ${sql}`);
  return row;
}
async function until<T>(
  ask: () => Promise<T>,
  good: (value: T) => boolean,
  withinMs: number,
): Promise<{ value: T; tookMs: number }> {
  const begun = Date.now();
  for (;;) {
    const value = await ask();
    if (good(value)) return { value, tookMs: Date.now() - begun };
    if (Date.now() - begun > withinMs) throw new Error(`not within ${withinMs} ms: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
async function connect(): Promise<void> {
  const { port, password } = JSON.parse(readFileSync(join(exchange.dataDir, 'postgres.json'), 'utf8')) as {
    port: number;
    password: string;
  };
  database = new pg.Client({ host: '127.0.0.1', port, user: 'bourse', password, database: 'exchange' });
  await database.connect();
}
/** The operator's way back, once the fault is mended. */
async function reopened(): Promise<void> {
  expect((await breaker('all', 'normal')).body).toMatchObject({ type: 'ok', key: 'admin.breakerSet' });
  await until(
    () => order(),
    ({ body }) => body.type === 'ok',
    5_000,
  );
  expect((await audit()).checks.filter(({ ok }) => ok === 0)).toEqual([]);
}

beforeAll(async () => {
  exchange = await ExchangeProcess.create('audit', { MAKER: 'off', PRICE_FEED: 'simulated', RATE_SCALE: '10000' });
  await exchange.start();
  await connect();
  await signIn();
});
afterAll(async () => {
  await database.end();
  await exchange.dispose();
});

test('under load no round finds anything: what is under way is no difference [AUDIT-001]', async () => {
  const traders = await TradingLog.signIn(exchange.url, 'audit');
  traders.start();
  const found: unknown[] = [];
  let rounds = 0;
  const traded = async (): Promise<number> =>
    Number((await one(`select count(*) from spot.trades where symbol = 'BTC/USDT'`))['count']);
  // How fast rounds and orders go is the machine's affair: enough of both are waited for.
  const enough = async (): Promise<boolean> => rounds >= 5 && traders.accepted > 100 && (await traded()) > 20;
  for (const end = Date.now() + UNDER_LOAD_MS_MAX; !(await enough()) && Date.now() < end; rounds += 1)
    found.push(...(await audit()).checks.filter(({ ok }) => ok === 0));
  await traders.stop();
  expect(found).toEqual([]);
  expect(rounds).toBeGreaterThanOrEqual(5);
  expect(traders.accepted).toBeGreaterThan(100);
  expect(await traded()).toBeGreaterThan(20);
  expect((await one('select count(*) from gateway.standstill'))['count']).toBe('0');
});

/** Columns of such a name that choose nothing, with what they hold. */
const HARMLESS: Readonly<Record<string, string>> = {
  'auth.account.name_marks': 'words of a name by which support finds it',
  'auth.bank.area_mark': 'a district, findable while it lies sealed',
  'auth.bank.city_mark': 'a city, the same',
  'gateway.audit_round.result': 'what a round of the auditor has found',
  'lever.lever_position.origin_caution': 'the margin that it was opened with',
  'lever.lever_position.origin_price': 'its price without the spread',
  'micro.contract.result': 'win, loss, tie or void, as the settlement has found it by recorded ticks',
  'micro.outcome.result': 'the same, counted',
  'spot.orders.time_in_force': 'GTC, IOC or FOK, as its owner has asked',
  'spot.orders.triggered': 'whether the last price has reached the stop',
};
test('no table has a place for odds, a wanted result, an override or a delay [FAIR-013]', async () => {
  const { rows } = await database.query<{ name: string }>(
    `select c.table_schema || '.' || c.table_name || '.' || c.column_name as name
      from information_schema.columns c
        join pg_class t on t.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
      where c.table_schema not in ('pg_catalog', 'information_schema') and not t.relispartition
        and c.column_name ~* '(win|odds|luck|bias|rig|force|wanted|override|manip|fake|delay|chance|result|mark)'`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(HARMLESS).sort());
});

describe('the auditor itself finds one wrong unit within 60 s, and stops the exchange [AUDIT-002]', () => {
  test.each<[string, () => Promise<{ plant: string; mend: string; check: string; named: string }>]>([
    [
      'a balance',
      async () => ({
        plant: `update ledger.balance
          set available = available + 0.00000001
          where owner = 100002 and product = 'change' and currency = 3`,
        mend: `update ledger.balance
          set available = available - 0.00000001
          where owner = 100002 and product = 'change' and currency = 3`,
        check: 'wallet-ledger.sums',
        named: '100002.change.3',
      }),
    ],
    [
      'an open order',
      async () => {
        const { id } = await one(
          `select id from spot.orders
            where status = 1 and symbol = 'BTC/USDT' and filled = 0
            order by sequence limit 1`,
        );
        return {
          plant: `update spot.orders set price = price + 0.01 where id = ${id}`,
          mend: `update spot.orders set price = price - 0.01 where id = ${id}`,
          check: 'spot-matching.book BTC/USDT',
          named: `order ${id}`,
        };
      },
    ],
    [
      'a candle',
      async () => {
        const { at } = await one(
          `select opens_at::text as at
            from market.candle
            where period = '1min' and volume > 0
            order by opens_at limit 1`,
        );
        const change = (sign: string): string =>
          `update market.candle set volume = volume ${sign} 0.00000001 where period = '1min' and opens_at = '${at}'`;
        return { plant: change('+'), mend: change('-'), check: 'market-data.candles', named: '1min' };
      },
    ],
  ])('%s', async (_, of) => {
    await signIn();
    const mine = (await order()).body.id ?? '';
    const { plant: wrong, mend, check, named } = await of();
    expect(await plant(wrong)).toBe(1);
    try {
      const { tookMs } = await until(shown, (now) => mode(now, 'withdraw') !== 'normal', 60_000);
      expect(tookMs).toBeLessThan(60_000);
      // What it has found it tells when its round is over: that too within the same minute.
      const told = (now: Reconciliation): boolean => standsStill(now) && now.checks.some(({ ok }) => ok === 0);
      const { value } = await until(shown, told, 60_000 - tookMs);
      expect(value.checks.filter(({ ok }) => ok === 0)).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: check, detail: expect.stringContaining(named) })]),
      );
      expect((await order()).status).toBe(503);
      expect((await transfer()).status).toBe(503);
      expect((await call('POST', '/api/wallet/detail', { currency: '3' }, trader)).body.type).toBe('ok');
      expect((await call('PUT', '/api/coin/trade', { id: mine }, trader)).body.type).toBe('ok');
      const metrics = await (await fetch(`${exchange.url}/metrics`)).text();
      expect(metrics).toContain('bourse_audit_ok 0');
      expect(metrics).toContain(`bourse_audit_check{name="${check}"} 0`);
      expect((await breaker('all', 'normal')).body).toMatchObject({ type: 'error', key: 'admin.stillWrong' });
    } finally {
      // One that was not found must not spoil the tests after it.
      expect(await plant(mend)).toBe(1);
    }
    await reopened();
  });
});

describe('whatever row it is in, it is named [AUDIT-003]', () => {
  test.each<[string, () => Promise<{ plant: string; mend: string; check: string; named: string }>]>([
    [
      'money moved between two people',
      async () => ({
        plant: `update ledger.balance
          set available = available + case owner when 100001 then 0.00000001 else -0.00000001 end
          where owner in (100001, 100002) and product = 'legal' and currency = 3`,
        mend: `update ledger.balance
          set available = available - case owner when 100001 then 0.00000001 else -0.00000001 end
          where owner in (100001, 100002) and product = 'legal' and currency = 3`,
        check: 'wallet-ledger.sums',
        named: '100001.legal.3',
      }),
    ],
    [
      'a hold',
      async () => {
        const { owner, name } = await one('select owner, name from ledger.hold order by name limit 1');
        const change = (sign: string): string =>
          `update ledger.hold set remaining = remaining ${sign} 0.00000001 where owner = ${owner} and name = '${name}'`;
        return { plant: change('+'), mend: change('-'), check: 'gateway.holds', named: String(name) };
      },
    ],
    [
      'a leg of an old journal',
      async () => {
        const { number, partition, part } = await one(
          `select number, partition, part
            from ledger.journal
            where cause_type = 'seed' and owner = 100003
            order by number limit 1`,
        );
        const change = (from: string, to: string): string =>
          `update ledger.journal
            set entries = replace(entries::text, '${from}', '${to}')::json
            where number = ${number} and partition = ${partition} and part = ${part}`;
        return {
          plant: change(',"', ',"1'),
          mend: change(',"1', ',"'),
          check: 'wallet-ledger.chain',
          named: `journal ${number} of partition ${partition}`,
        };
      },
    ],
    [
      'what is left of an open order',
      async () => {
        const { id } = await one(
          `select id from spot.orders
            where status = 1 and symbol = 'BTC/USDT' and filled = 0
            order by sequence limit 1`,
        );
        return {
          plant: `update spot.orders set filled = filled + 0.000001 where id = ${id}`,
          mend: `update spot.orders set filled = filled - 0.000001 where id = ${id}`,
          check: 'spot-matching.book BTC/USDT',
          named: `order ${id}`,
        };
      },
    ],
    [
      'what an open order holds',
      async () => {
        const { id } = await one(
          `select id from spot.orders where status = 1 and filled = 0 and side = 0 order by sequence limit 1`,
        );
        return {
          plant: `update spot.orders set hold_left = hold_left - 0.00000001 where id = ${id}`,
          mend: `update spot.orders set hold_left = hold_left + 0.00000001 where id = ${id}`,
          check: 'gateway.holds',
          named: `order:${id}`,
        };
      },
    ],
    [
      'a trade',
      async () => ({
        plant: `update spot.trades set quote = quote + 0.00000001 where symbol = 'BTC/USDT' and sequence = 7`,
        mend: `update spot.trades set quote = quote - 0.00000001 where symbol = 'BTC/USDT' and sequence = 7`,
        check: 'gateway.settlement',
        named: 'trade 7 of BTC/USDT',
      }),
    ],
    [
      'a trade in the lists',
      async () => ({
        plant: `update market.trade set price = price + 0.01 where sequence = 5`,
        mend: `update market.trade set price = price - 0.01 where sequence = 5`,
        check: 'gateway.trades',
        named: 'BTC/USDT',
      }),
    ],
    [
      'a state that does not exist',
      async () => {
        const { id } = await one('select id from spot.orders where status = 2 and filled = quantity limit 1');
        return {
          plant: `update spot.orders set reason = 'user' where id = ${id}`,
          mend: `update spot.orders set reason = '' where id = ${id}`,
          check: 'spot-matching.orders',
          named: `order ${id}`,
        };
      },
    ],
    [
      'a candle of a day',
      async () => {
        const change = (sign: string): string =>
          `update market.candle c
            set high = high ${sign} 0.00000001
            from market.pair p
            where p.id = c.pair_id and p.symbol = 'BTC/USDT' and period = '1day'
              and opens_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'`;
        return { plant: change('+'), mend: change('-'), check: 'market-data.candles', named: '1day' };
      },
    ],
    [
      'a position ahead of what was written',
      async () => ({
        plant: `update ledger.position
          set number = number + 100000
          where consumer = 'ledger.writer' and stream like 'spot%'`,
        mend: `update ledger.position
          set number = number - 100000
          where consumer = 'ledger.writer' and stream like 'spot%'`,
        check: 'flow.positions',
        named: 'ledger.writer',
      }),
    ],
  ])('%s', async (_, of) => {
    const { plant: wrong, mend, check, named } = await of();
    expect(await plant(wrong)).toBeGreaterThan(0);
    try {
      // Where two looks are needed the second one finds it.
      const { value } = await until(
        audit,
        (now) => now.checks.some(({ ok, name }) => ok === 0 && name === check),
        20_000,
      );
      expect(value.checks.find(({ name }) => name === check)?.detail).toContain(named);
      await until(shown, standsStill, 5_000);
    } finally {
      expect(await plant(mend)).toBeGreaterThan(0);
    }
    await reopened();
  });
});

test('who may reopen, and in which order [AUDIT-004]', async () => {
  expect((await breaker('all', 'normal', trader)).status).toBe(403);
  expect((await breaker('all', 'normal', '')).body).toMatchObject({ type: '999' });
  const finance = (await call('POST', '/api/admin/login', { username: 'finance1', password: 'Harbor-2468' })).body
    .message as string;
  expect((await breaker('all', 'halted', finance)).status).toBe(403);
  expect(
    (await call('POST', '/api/admin/breaker', { scope: 'all', mode: 'halted', reason: 'why' }, operator)).body,
  ).toMatchObject({ key: 'admin.reason' });
  expect((await breaker('BTC/USDT', 'halted')).body.type).toBe('ok');
  expect((await order()).body.key).toBe('market.paused');
  expect((await breaker('BTC/USDT', 'normal')).body).toMatchObject({ type: 'error', key: 'admin.cancelOnlyFirst' });
  expect((await breaker('BTC/USDT', 'cancel_only')).body.type).toBe('ok');
  expect((await breaker('BTC/USDT', 'normal')).body.type).toBe('ok');
  await until(
    () => order(),
    ({ body }) => body.type === 'ok',
    5_000,
  );
  expect((await breaker('NO/SUCH', 'normal')).body).toMatchObject({ type: 'error', key: 'common.fieldInvalid' });
  const rows = (
    await database.query<{ operator: string; target: string; after: string; reason: string }>(
      `select operator, target, after, reason from gateway.operator_action where target = 'BTC/USDT' order by id`,
    )
  ).rows;
  expect(rows).toEqual(
    ['halted', 'cancel_only', 'normal'].map((after) => ({
      operator: 'operator',
      target: 'BTC/USDT',
      after,
      reason: 'a test of the auditor',
    })),
  );
  await expect(database.query(`update gateway.operator_action set reason = 'another'`)).rejects.toThrow(
    'never changed',
  );
});

test('a standstill outlives kill -9: nothing opens by itself, even when the fault is gone [AUDIT-005]', async () => {
  const row = `where owner = 100002 and product = 'change' and currency = 3`;
  await plant(`update ledger.balance set available = available + 0.00000001 ${row}`);
  await audit();
  await until(shown, standsStill, 5_000);
  await plant(`update ledger.balance set available = available - 0.00000001 ${row}`);
  await database.end();
  await exchange.kill();
  await exchange.start();
  await connect();
  await signIn();
  const clean = await audit();
  expect(clean.ok).toBe(1);
  expect(standsStill(clean)).toBe(true);
  expect((await order()).status).toBe(503);
  expect((await breaker('BTC/USDT', 'normal')).body).toMatchObject({ key: 'admin.reopenAll' });
  await reopened();
});
