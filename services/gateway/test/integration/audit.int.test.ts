import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { TOPICS, type DepthView, type MarketMode } from '@bourse/events';
import {
  Asks,
  gatewayAsks,
  serviceAsks,
  type AnswerOf,
  type AuditCheck,
  type AuditedHold,
  type AuditFlow,
  type QuestionOf,
} from '@bourse/messaging';
import { Alarms, SERVICE_NAMES } from '@bourse/platform';
import { eventually, eventuallySatisfied, testTimeoutMs } from '@bourse/testing';
import { Descriptions } from '../../src/shared/application/descriptions.js';
import { Auditor } from '../../src/reconciliation/application/auditor.js';
import type { AuditResult } from '../../src/reconciliation/application/round-store.js';
import { GatewayDatabase } from '../../src/shared/persistence/gateway-database.js';
import { Breakers, BreakerStore } from '../../src/breakers/application/breakers.js';
import { freezeExchange } from '../../src/freeze.js';
import { describeService, person, startGateway, type GatewayProcess } from './gateway-process.js';

jest.setTimeout(testTimeoutMs(24_000));

/** The answers of the services; tests change them. */
interface Services {
  ledger: AuditFlow;
  spot: AuditFlow;
  market: AuditFlow;
  checks: AuditCheck[];
  held: () => readonly AuditedHold[];
  needed: () => readonly AuditedHold[];
  book: DepthView;
  silent: boolean;
  mode: MarketMode;
  modes: string[];
}
const SPOT_STREAM = 'spot.0>ledger.commands/0';
const LEDGER_STREAM = 'ledger.0>spot.commands/0';
const flow = (
  heads: Record<string, number>,
  positions: Record<string, Record<string, number>> = {},
  deadLetters = 0,
): AuditFlow => ({ heads, positions, deadLetters });
const depth = (seq: number, price: string, mode: MarketMode = 'normal'): DepthView => ({
  symbol: 'BTC/USDT',
  pairId: 1,
  seq,
  at: Date.now(),
  bids: [[price, '1']],
  asks: [],
  lastPrice: price,
  mode,
});

/** Services with a part in these tests, and the gateway, which describes itself. */
const DESCRIBED: ReadonlySet<string> = new Set(['gateway', 'wallet-ledger', 'spot-matching', 'market-data', 'notices']);

let gateway: GatewayProcess;
let services: Services;
const fresh = (): Services => ({
  ledger: flow({ [LEDGER_STREAM]: 5 }, { 'ledger.writer': { [SPOT_STREAM]: 7 } }),
  spot: flow({ [SPOT_STREAM]: 7 }, { 'spot.engine': { [LEDGER_STREAM]: 5 } }),
  market: flow({}),
  checks: [],
  held: () => [],
  needed: () => [],
  book: depth(1, '100'),
  silent: false,
  mode: 'normal',
  modes: [],
});

beforeAll(async () => {
  gateway = await startGateway();
  const asks = gateway.app.get(Asks);
  const holds =
    (lines: () => readonly AuditedHold[], of: () => AuditFlow) =>
    ({ buckets }: QuestionOf<typeof serviceAsks.auditHolds>): AnswerOf<typeof serviceAsks.auditHolds> => {
      const now = lines();
      return buckets ? { lines: now, flow: of() } : { digests: [JSON.stringify(now)] };
    };
  describeService(asks, {
    service: 'wallet-ledger',
    audits: true,
    keepsHolds: true,
    trades: { settles: TOPICS.ledgerCommands },
    stops: ['stream:ledger.writer:'],
  });
  describeService(asks, {
    service: 'spot-matching',
    audits: true,
    holds: [{ prefix: 'order', commands: TOPICS.spotCommands }],
    trades: { makes: { settledOn: TOPICS.ledgerCommands, shownOn: TOPICS.spotEvents } },
    stops: ['stream:spot.engine:'],
  });
  describeService(asks, { service: 'market-data', audits: true, trades: { shows: TOPICS.spotEvents } });
  describeService(asks, { service: 'notices', breakers: ['parcels'] });
  // The other services are not involved.
  for (const service of SERVICE_NAMES) if (!DESCRIBED.has(service)) describeService(asks, { service });
  await eventually(() => gateway.app.get(Descriptions).missing().length === 0, 5_000);
  asks.handle(serviceAsks.audit('wallet-ledger'), () => ({ checks: services.checks, flow: services.ledger }));
  asks.handle(serviceAsks.audit('spot-matching'), () =>
    services.silent
      ? Promise.reject(new Error('nobody is there'))
      : Promise.resolve({ checks: [], flow: services.spot, tails: { 'BTC/USDT': 0 } }),
  );
  asks.handle(serviceAsks.audit('market-data'), () => ({ checks: [], flow: services.market }));
  asks.handle(
    serviceAsks.auditHolds('wallet-ledger'),
    holds(
      () => services.held(),
      () => services.ledger,
    ),
  );
  asks.handle(
    serviceAsks.auditHolds('spot-matching'),
    holds(
      () => services.needed(),
      () => services.spot,
    ),
  );
  asks.handle(serviceAsks.book('spot-matching'), () => services.book);
  asks.handle(serviceAsks.mode('spot-matching'), ({ symbol, mode }) => {
    services.modes.push(`${symbol} ${mode}`);
    services.book = { ...services.book, seq: services.book.seq + 1, mode };
    gateway.views.publish('depth/BTC/USDT', services.book, true);
    return { accepted: true as const };
  });
  services = fresh();
});
afterAll(async () => {
  await gateway.end();
});
beforeEach(async () => {
  const breakers = gateway.app.get(Breakers);
  services = { ...fresh(), book: depth(services.book.seq + 1, '100', services.book.mode) };
  gateway.views.publish('depth/BTC/USDT', services.book, true);
  if (breakers.frozen) {
    await eventually(() => breakers.list().every(({ mode }) => mode === 'cancel_only'), 5_000);
    await breakers.set('all', 'normal', { operatorId: 1, operator: 'test', reason: 'between two tests' });
    // The auditor's own alarm stops withdrawals until a round has found nothing.
    await round();
    expect(await withdrawals()).toEqual({ stopped: false });
  }
});

const withdrawals = (): Promise<{ stopped: boolean }> => gateway.app.get(Asks).ask(gatewayAsks.withdrawals, {});
const round = (): Promise<AuditResult> => gateway.app.get(Auditor).now();
const failed = ({ checks }: AuditResult): string[] => checks.filter(({ ok }) => !ok).map(({ name }) => name);
const line = (hold: string, amount: string, version?: string): AuditedHold => ({
  hold,
  currency: 3,
  amount,
  ...(version === undefined ? {} : { version }),
});
const call = async (path: string, user: number): Promise<number> =>
  (await fetch(`${gateway.url}${path}`, { method: 'POST', headers: { authorization: gateway.token(user) } })).status;

test('a hold that differs, still the same when the streams have passed, stops the exchange [AUDIT-006]', async () => {
  services.held = () => [line('order:1', '10.00000001')];
  services.needed = () => [line('order:1', '10', '0/4')];
  const result = await round();
  expect(failed(result)).toEqual(['gateway.holds']);
  expect(result.checks.find(({ name }) => name === 'gateway.holds')?.detail).toContain(
    'order:1 currency 3: 10.00000001 held, 10 needed',
  );
  expect(
    gateway.app
      .get(Alarms)
      .list()
      .map(({ name }) => name),
  ).toEqual(expect.arrayContaining(['audit:gateway', 'audit:frozen']));
  await eventually(() => services.modes.includes('BTC/USDT cancel_only'), 5_000);
});

test('messages in flight are no difference: streams not passed, objects that keep changing [AUDIT-006]', async () => {
  services.held = () => [line('order:1', '10')];
  services.needed = () => [line('order:1', '4', '6/4')];
  services.ledger = flow({ [LEDGER_STREAM]: 5 }, { 'ledger.writer': { [SPOT_STREAM]: 6 } });
  expect(failed(await round())).toEqual([]);
  services.ledger = flow({ [LEDGER_STREAM]: 5 }, { 'ledger.writer': { [SPOT_STREAM]: 7 } });
  let filled = 0;
  services.needed = () => [line('order:1', String(10 - (filled += 1)), `${filled}/4`)];
  expect(failed(await round())).toEqual([]);
  expect(gateway.app.get(Breakers).frozen).toBeNull();
});

test('a forged depth is found, and an honest one is not [AUDIT-007]', async () => {
  expect(failed(await round())).toEqual([]);
  gateway.views.publish('depth/BTC/USDT', { ...services.book, bids: [['100', '1.000001']] }, true);
  const result = await eventuallySatisfied(round, (found) => failed(found).length > 0);
  expect(failed(result)).toEqual(['gateway.depth']);
  expect(result.checks.find(({ name }) => name === 'gateway.depth')?.detail).toContain('BTC/USDT');
});

test('a service away, a dead letter and an alarm of another kind are shown and stop nothing [AUDIT-008]', async () => {
  services.silent = true;
  expect(failed(await round())).toEqual(['gateway.reach']);
  services.silent = false;
  services.market = flow({}, {}, 1);
  gateway.app.get(Alarms).raise('relay:x', 'stopped');
  expect(failed(await round())).toEqual(['flow.deadLetters', 'gateway.alarms']);
  gateway.app.get(Alarms).clear('relay:x');
  expect(gateway.app.get(Breakers).frozen).toBeNull();
});

test('a position that no later head reaches is beyond the written rows [AUDIT-008]', async () => {
  services.ledger = flow({ [LEDGER_STREAM]: 5 }, { 'ledger.writer': { [SPOT_STREAM]: 8 } });
  expect(failed(await round())).toEqual([]);
  // The head was only read earlier: by now it is there.
  services.spot = flow({ [SPOT_STREAM]: 8 }, { 'spot.engine': { [LEDGER_STREAM]: 5 } });
  expect(failed(await round())).toEqual([]);
  services.ledger = flow({ [LEDGER_STREAM]: 5 }, { 'ledger.writer': { [SPOT_STREAM]: 90 } });
  await round();
  expect(failed(await round())).toEqual(['flow.positions']);
});

test("a service's own finding stops the exchange at once, without a round [AUDIT-002]", async () => {
  gateway.views.publish('audit/wallet-ledger', {
    service: 'wallet-ledger',
    at: Date.now(),
    checks: [{ name: 'sums', ok: false, detail: '100002.change.3 has one too many' }],
  });
  await eventually(() => gateway.app.get(Breakers).frozen !== null, 5_000);
  expect(gateway.app.get(Breakers).frozen?.detail).toContain('100002.change.3');
  await eventually(() => services.modes.includes('BTC/USDT cancel_only'), 5_000);
});

test('a call behind a breaker is refused while that is not normal, others are not [AUDIT-009]', async () => {
  gateway.people.set(31, person(31));
  const breakers = gateway.app.get(Breakers);
  const who = { operatorId: 1, operator: 'test', reason: 'a test of breakers' };
  // A scope that a service has named stops and opens like those of the contract [SERVICE-005].
  await breakers.set('parcels', 'halted', who);
  expect(breakers.list()).toContainEqual({ scope: 'parcels', mode: 'halted' });
  await breakers.set('parcels', 'cancel_only', who);
  await breakers.set('parcels', 'normal', who);
  expect(breakers.list()).toContainEqual({ scope: 'parcels', mode: 'normal' });
  expect([await call('/api/probe/out', 31), await call('/api/probe/lever', 31)]).toEqual([200, 200]);
  await breakers.set('withdraw', 'halted', who);
  expect([
    await call('/api/probe/out', 31),
    await call('/api/probe/lever', 31),
    await call('/api/probe/new_order', 31),
  ]).toEqual([503, 200, 200]);
  await breakers.set('lever', 'cancel_only', who);
  expect([await call('/api/probe/out', 31), await call('/api/probe/lever', 31)]).toEqual([503, 503]);
  await expect(breakers.set('withdraw', 'normal', who)).rejects.toMatchObject({ key: 'admin.cancelOnlyFirst' });
  await breakers.set('withdraw', 'cancel_only', who);
  await breakers.set('all', 'normal', who);
  expect([await call('/api/probe/out', 31), await call('/api/probe/lever', 31)]).toEqual([200, 200]);
});

test.each([false, true])(
  'reopening lifts no freeze that is committed in the same moment; frozen before: %s [AUDIT-032]',
  async (isFrozen) => {
    const breakers = gateway.app.get(Breakers);
    const store = gateway.app.get(BreakerStore);
    const who = { operatorId: 1, operator: 'test', reason: 'a test of breakers' };
    if (isFrozen) await breakers.freeze('the difference that was seen');
    else await breakers.set('all', 'cancel_only', who);
    await eventually(() => breakers.list().every(({ mode }) => mode === 'cancel_only'), 5_000);
    const set = store.set.bind(store);
    const changed = jest.spyOn(store, 'set').mockImplementationOnce(async (change, action) => {
      const stopped = { ...action, operator: 'auditor', action: 'freeze' };
      await store.freeze('another difference', change.scopes, change.now, stopped);
      return set(change, action);
    });
    await expect(breakers.set('all', 'normal', who)).rejects.toMatchObject({ key: 'admin.stillWrong' });
    changed.mockRestore();
    expect(breakers.frozen?.detail).toBe(isFrozen ? 'the difference that was seen' : 'another difference');
    expect(breakers.list().filter(({ mode }) => mode === 'normal')).toEqual([]);
    await breakers.set('all', 'normal', who);
    expect(breakers.frozen).toBeNull();
  },
);

test("the sender of payments learns that withdrawals stop, by breaker or auditor's alarm [WITHDRAW-023]", async () => {
  const breakers = gateway.app.get(Breakers);
  const alarms = gateway.app.get(Alarms);
  const who = { operatorId: 1, operator: 'test', reason: 'a test of breakers' };
  expect(await withdrawals()).toEqual({ stopped: false });
  alarms.raise('audit:somebody', 'a difference');
  expect(await withdrawals()).toEqual({ stopped: true });
  alarms.clear('audit:somebody');
  await breakers.set('withdraw', 'cancel_only', who);
  expect(await withdrawals()).toEqual({ stopped: true });
  await breakers.set('withdraw', 'normal', who);
  expect(await withdrawals()).toEqual({ stopped: false });
});

test("leverage learns that its openings stop, by breaker, freeze or auditor's alarm [LEVER-112]", async () => {
  const breakers = gateway.app.get(Breakers);
  const alarms = gateway.app.get(Alarms);
  const who = { operatorId: 1, operator: 'test', reason: 'a test of breakers' };
  const openings = () => gateway.app.get(Asks).ask(gatewayAsks.openings, { breaker: 'lever' });
  expect(await openings()).toEqual({ stopped: false });
  alarms.raise('audit:somebody', 'a difference');
  expect(await openings()).toEqual({ stopped: true });
  alarms.clear('audit:somebody');
  for (const mode of ['cancel_only', 'halted', 'cancel_only'] as const) {
    await breakers.set('lever', mode, who);
    expect(await openings()).toEqual({ stopped: true });
  }
  await breakers.set('lever', 'normal', who);
  await breakers.set('micro', 'cancel_only', who);
  expect(await openings()).toEqual({ stopped: false });
  await breakers.freeze('a difference');
  expect(await openings()).toEqual({ stopped: true });
});

test('after a restore the exchange is frozen, with a line of the trail; halted stays halted [AUDIT-010]', async () => {
  const breakers = gateway.app.get(Breakers);
  await breakers.set('micro', 'halted', { operatorId: 1, operator: 'test', reason: 'a test of breakers' });
  await freezeExchange(gateway.app.get(GatewayDatabase), '12 acknowledged rows were lost');
  await eventually(
    () =>
      breakers.frozen?.detail === '12 acknowledged rows were lost' &&
      breakers.list().find(({ scope }) => scope === 'BTC/USDT')?.mode === 'cancel_only',
    5_000,
  );
  expect(breakers.list()).toEqual(
    expect.arrayContaining([
      { scope: 'withdraw', mode: 'cancel_only' },
      { scope: 'micro', mode: 'halted' },
    ]),
  );
  expect(
    await gateway.app
      .get(GatewayDatabase)
      .query(`select operator, action, after from operator_action where action = 'reconcile'`),
  ).toEqual([{ operator: 'console', action: 'reconcile', after: 'cancel_only' }]);
  await breakers.set('micro', 'cancel_only', { operatorId: 1, operator: 'test', reason: 'a test of breakers' });
});
