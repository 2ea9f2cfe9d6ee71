// A one-process exchange to test the auditors with wrong rows that a test has planted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing';
import pg from 'pg';
import { ExchangeProcess } from './exchange-process.js';
import { TradingLog } from './trading-log.js';

/** The auditor finds a wrong unit within this time. */
const FOUND_MS_MAX = testTimeoutMs(12_000);
/** The exchange freezes within this time after a finding, on an idle machine. */
export const STILL_MS_MAX = 1_000;
/** Within this time several rounds under load are over, on an idle machine. */
const UNDER_LOAD_MS_MAX = 36_000;

/** A wrong row: how it is planted and repaired, which check finds it, and what the finding names. */
export interface Fault {
  readonly plant: string;
  readonly mend: string;
  readonly check: string;
  readonly named: string;
}

export interface Answer {
  readonly status: number;
  readonly body: {
    readonly type: string;
    readonly key?: string;
    readonly id?: string;
    readonly params?: Readonly<Record<string, string>>;
    readonly message: unknown;
  };
}
export interface Reconciliation {
  readonly ok: number;
  readonly checks: readonly { readonly name: string; readonly ok: number; readonly detail: string }[];
  readonly breakers: readonly { readonly scope: string; readonly mode: string }[];
}

export let exchange: ExchangeProcess;
export let database: pg.Client;
export let trader = '';
export let operator = '';

export async function call(
  method: string,
  path: string,
  fields: Readonly<Record<string, string>> = {},
  token = '',
  timeoutMs = 6_000,
): Promise<Answer> {
  const response = await fetch(`${exchange.url}${path}`, {
    method,
    signal: AbortSignal.timeout(testTimeoutMs(timeoutMs)),
    headers: {
      ...(token ? { authorization: token } : {}),
      ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(method === 'GET' ? {} : { body: new URLSearchParams(fields).toString() }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
export const signIn = async (): Promise<void> => {
  trader = (await call('POST', '/api/user/login', { user_string: 'trader3@demo.bourse', password: 'Harbor-2468' })).body
    .message as string;
  operator = (await call('POST', '/api/admin/login', { username: 'operator', password: 'Harbor-2468' })).body
    .message as string;
};
/** Returns the findings of the last round; the query starts none. */
export const shown = async (): Promise<Reconciliation> =>
  (await call('GET', '/api/admin/reconciliation', {}, operator)).body.message as Reconciliation;
/** A service has 20 s to answer a round, and a call may wait for the round under way and the one after it. */
const ROUNDS_MS_MAX = 2 * 20_000;
/** A round now. */
export const audit = async (): Promise<Reconciliation> =>
  (await call('GET', '/dev/audit', {}, '', ROUNDS_MS_MAX)).body.message as Reconciliation;
export const breaker = (scope: string, mode: string, token = operator): Promise<Answer> =>
  call('POST', '/api/admin/breaker', { scope, mode, reason: 'a test of the auditor' }, token);
export const order = (price = '50000.00'): Promise<Answer> =>
  call(
    'POST',
    '/api/coin/trade',
    { legal_id: '3', currency_id: '1', type: '1', target_price: price, amount: '0.001' },
    trader,
  );
export const transfer = (): Promise<Answer> =>
  call('POST', '/api/wallet/change', { currency_id: '3', from: 'change', to: 'legal', number: '1' }, trader);
export const mode = ({ breakers }: Reconciliation, scope: string): string | undefined =>
  breakers.find((one) => one.scope === scope)?.mode;
export const isHalted = (now: Reconciliation): boolean =>
  now.breakers.filter(({ scope }) => scope.includes('/')).every((one) => one.mode === 'cancel_only') &&
  mode(now, 'withdraw') !== 'normal';

/** Executes SQL as a superuser of the database. */
export async function plant(sql: string): Promise<number> {
  await database.query('set session_replication_role = replica');
  try {
    return (await database.query(sql)).rowCount ?? 0;
  } finally {
    await database.query('set session_replication_role = default');
  }
}
export async function one(sql: string): Promise<Record<string, string>> {
  const {
    rows: [row],
  } = await database.query<Record<string, string>>(sql);
  if (!row) throw new Error(`nothing is there: ${sql}`);
  return row;
}
export async function connect(): Promise<void> {
  const { port, password } = JSON.parse(readFileSync(join(exchange.dataDir, 'postgres.json'), 'utf8')) as {
    port: number;
    password: string;
  };
  database = new pg.Client({ host: '127.0.0.1', port, user: 'bourse', password, database: 'exchange' });
  await database.connect();
}
/**
 * Reasons against a reopening that pass by themselves: a service was too busy to answer, or a round that had begun
 * before the repair has frozen the exchange once more.
 */
const PASSING = ['gateway.reach', 'flow.delay', 'audit:frozen'];
/** Opens the exchange again as an operator does, after the fault is repaired. */
export async function reopened(): Promise<void> {
  const { body } = await eventuallySatisfied(
    () => breaker('all', 'normal'),
    ({ body: { params } }) => !PASSING.includes(String(params?.['check'])),
    ROUNDS_MS_MAX,
  );
  expect(body).toMatchObject({ type: 'ok', key: 'admin.breakerSet' });
  await eventuallySatisfied(
    () => order(),
    ({ body }) => body.type === 'ok',
    1_000,
  );
  expect((await audit()).checks.filter(({ ok }) => ok === 0)).toEqual([]);
}

/** Starts the exchange and signs in. */
export async function begin(name: string): Promise<void> {
  exchange = await ExchangeProcess.create(name, { MAKER: 'off', PRICE_FEED: 'simulated', RATE_SCALE: '10000' });
  await exchange.start();
  await connect();
  await signIn();
}
/** Ends the exchange and removes its data. */
export async function end(): Promise<void> {
  await database?.end();
  await exchange?.dispose();
}

/**
 * Trades while rounds of the auditor run. How fast rounds and orders go depends on the machine: it waits for both. A
 * round to which a busy service gave no answer in time is not complete and does not count.
 */
export async function auditUnderLoad(): Promise<void> {
  const traders = await TradingLog.signIn(exchange.url, 'audit');
  traders.start();
  const found: unknown[] = [];
  let rounds = 0;
  const traded = async (): Promise<number> =>
    Number((await one(`select count(*) from spot.trades where symbol = 'BTC/USDT'`))['count']);
  const enough = async (): Promise<boolean> => rounds >= 5 && traders.accepted > 100 && (await traded()) > 20;
  try {
    for (const until = Date.now() + testTimeoutMs(UNDER_LOAD_MS_MAX); !(await enough()) && Date.now() < until;) {
      const failed = (await audit()).checks.filter(({ ok }) => ok === 0);
      if (!failed.some(({ name }) => name === 'gateway.reach')) rounds += 1;
      found.push(...failed.filter(({ name }) => name !== 'gateway.reach'));
    }
  } finally {
    await traders.stop();
  }
  expect(found).toEqual([]);
  expect(rounds).toBeGreaterThanOrEqual(5);
  expect(traders.accepted).toBeGreaterThan(100);
  expect(await traded()).toBeGreaterThan(20);
  expect((await one('select count(*) from gateway.standstill'))['count']).toBe('0');
}

/** The auditor finds the fault in a round of its own and stops the exchange, which an operator opens again. */
export async function expectAuditorFinds(of: () => Promise<Fault>): Promise<void> {
  await signIn();
  const mine = (await order()).body.id ?? '';
  const { plant: wrong, mend, check, named } = await of();
  expect(await plant(wrong)).toBe(1);
  try {
    const { tookMs } = await within(FOUND_MS_MAX, (now) => mode(now, 'withdraw') !== 'normal');
    expect(tookMs).toBeLessThan(FOUND_MS_MAX);
    // A finding is reported at the end of its round, within the same minute. A round to which a busy service gave no
    // answer in time reports only that.
    const isReported = (now: Reconciliation): boolean =>
      isHalted(now) && now.checks.some(({ name, ok }) => name === check && ok === 0);
    const { value } = await within(FOUND_MS_MAX - tookMs, isReported);
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
}
/** Waits for a state of the auditor's report and measures the wall time. */
async function within(
  withinMs: number,
  isSo: (now: Reconciliation) => boolean,
): Promise<{ value: Reconciliation; tookMs: number }> {
  const begun = Date.now();
  for (;;) {
    const value = await shown();
    const tookMs = Date.now() - begun;
    if (isSo(value)) return { value, tookMs };
    if (tookMs > withinMs) throw new Error(`not within ${withinMs} ms: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A requested round finds the fault and freezes the exchange, which an operator reopens. */
export async function expectRoundFinds(of: () => Promise<Fault>): Promise<void> {
  const { plant: wrong, mend, check, named } = await of();
  expect(await plant(wrong)).toBeGreaterThan(0);
  try {
    // If two rounds are needed, the second one finds it.
    const value = await eventuallySatisfied(audit, (now) =>
      now.checks.some(({ ok, name }) => ok === 0 && name === check),
    );
    expect(value.checks.find(({ name }) => name === check)?.detail).toContain(named);
    await eventuallySatisfied(shown, isHalted, STILL_MS_MAX);
  } finally {
    expect(await plant(mend)).toBeGreaterThan(0);
  }
  await reopened();
}
