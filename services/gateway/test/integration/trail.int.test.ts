import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Descriptions } from '../../src/shared/application/descriptions.js';
import { OperatorActionV1, TOPICS, type OperatorAction } from '@bourse/events';
import { Asks, serviceAsks } from '@bourse/messaging';
import { entityDifferences, eventually, eventuallySatisfied, testTimeoutMs } from '@bourse/testing';
import { Databases, type Database } from '@bourse/persistence';
import { GatewayDatabase } from '../../src/shared/persistence/gateway-database.js';
import { describeService, person, startGateway, type GatewayProcess } from './gateway-process.js';

jest.setTimeout(testTimeoutMs(24_000));

let gateway: GatewayProcess;
let service: Database;
let token = '';
beforeAll(async () => {
  gateway = await startGateway();
  const asks = gateway.app.get(Asks);
  describeService(asks, { service: 'wallet-ledger', exports: ['withdrawals'], work: true });
  describeService(asks, { service: 'auth', exports: ['users'], work: true });
  await eventually(() => gateway.app.get(Descriptions).working().length === 2, 5_000);
  gateway.people.set(70, person(70, { kind: 'operator', accountNumber: 'finance1', roles: ['finance'] }));
  token = gateway.token(70);
  service = await gateway.app.get(Databases).open({ schema: 'market', migrations: [] });
});
afterAll(async () => {
  await gateway.end();
});

test('the entities are the tables that the migrations have made [DB-013]', async () => {
  expect(await entityDifferences(gateway.app.get(GatewayDatabase))).toEqual([]);
});

const AT = Date.parse('2026-03-01T10:00:00Z');
const action = (id: string, more: Partial<OperatorAction> = {}): OperatorAction => ({
  id,
  at: AT,
  operatorId: 70,
  operator: 'finance1',
  action: 'withdrawals.approve',
  target: 'withdrawal 1',
  reason: 'checked by phone',
  before: 'review',
  after: 'sending',
  ...more,
});
const emit = (...actions: OperatorAction[]): Promise<void> =>
  service.transaction((tx) => {
    for (const one of actions) tx.emit(TOPICS.operatorActions, 0, OperatorActionV1.encode(one));
    return Promise.resolve();
  });
async function get(path: string): Promise<{
  status: number;
  text: string;
  headers: Headers;
  message: { data: Record<string, unknown>[]; total: number; has_more: number };
}> {
  const response = await fetch(`${gateway.url}${path}`, { headers: { authorization: token } });
  const text = await response.text();
  return {
    status: response.status,
    text,
    headers: response.headers,
    message: (text.startsWith('{') ? (JSON.parse(text) as { message: never }).message : null) as never,
  };
}
async function until(total: number): Promise<void> {
  await eventuallySatisfied(
    async () => (await get('/api/admin/audit')).message.total as number,
    (lines) => lines >= total,
  );
}

describe('the trail', () => {
  test("has operators' actions in every service, each line once however often it arrives [TRAIL-001]", async () => {
    await emit(
      action('wallet:1'),
      action('wallet:2', {
        operator: 'support1',
        operatorId: 71,
        action: 'kyc.decide',
        target: 'user 100010',
        at: AT + 86_400_000,
      }),
    );
    await emit(action('wallet:1', { reason: 'told again' }), action('wallet:3', { reason: '=HYPERLINK("x"),"y"' }));
    await until(3);
    const { message } = await get('/api/admin/audit');
    expect(message).toMatchObject({ total: 3, page: 1, page_size: 50, has_more: 0 });
    expect(message.data[2]).toEqual({
      id: expect.any(Number),
      time: '2026-03-01 10:00:00',
      operator: 'finance1',
      action: 'withdrawals.approve',
      target: 'withdrawal 1',
      reason: 'checked by phone',
      before: 'review',
      after: 'sending',
    });
    const database = gateway.app.get(GatewayDatabase);
    await expect(database.execute(`update operator_action set reason = 'x'`)).rejects.toThrow('never changed');
    await expect(database.execute('delete from operator_action')).rejects.toThrow('never changed');
  });

  test.each([
    ['operator=support1', 1],
    ['action=kyc.decide', 1],
    ['target=withdrawal%201', 2],
    ['from=2026-03-02%2000:00:00', 1],
    ['to=2026-03-01%2010:00:00', 2],
    ['operator=nobody', 0],
    ['operator=fin*', 2],
    ['action=kyc*', 1],
    ['target=withdrawal*', 2],
    ['target=withdrawal%20_*', 0],
    ['target=with%25*', 0],
  ])('%s narrows it to %i [TRAIL-001]', async (query, total) => {
    expect((await get(`/api/admin/audit?${query}`)).message.total).toBe(total);
  });

  test('the filter by person matches the target and the subjects [TRAIL-004]', async () => {
    const at = AT + 40 * 86_400_000;
    await emit(
      action('of:1', { target: 'W7', subjects: [100_020], at }),
      action('of:2', { action: 'appeals.decide', target: 'A9', subjects: [100_021, 100_020], at }),
      action('of:3', { action: 'users.freeze', target: 'user:100020', at }),
      action('of:4', { target: 'user:1000201', subjects: [1_000_201], at }),
    );
    await until(7);
    const targets = async (query: string): Promise<unknown[]> =>
      (await get(`/api/admin/audit?${query}`)).message.data.map(({ target }) => target);
    expect(await targets('user_id=100020')).toEqual(['user:100020', 'A9', 'W7']);
    expect(await targets('user_id=100021')).toEqual(['A9']);
    expect(await targets('user_id=100020&action=appeals*')).toEqual(['A9']);
    expect(await targets('user_id=100020&target=user*')).toEqual(['user:100020']);
    expect(await targets('user_id=100022')).toEqual([]);
  });

  test('is exported as CSV, whole, without formulas [TRAIL-002]', async () => {
    const { headers, text } = await get(
      '/api/admin/export?what=audit&from=2026-03-01%2000:00:00&to=2026-03-03%2000:00:00',
    );
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      'attachment; filename="audit.csv"',
    ]);
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).toBe('id,time,operator,action,target,reason,before,after');
    expect(lines).toHaveLength(4);
    expect(text).toContain(`"'=HYPERLINK(""x""),""y"""`);
  });

  test('an export of another service comes in pieces; an unavailable one gives no file [TRAIL-002]', async () => {
    const asked: unknown[] = [];
    gateway.app.get(Asks).handle(serviceAsks.export('wallet-ledger'), (question) => {
      asked.push(question);
      return Promise.resolve({
        columns: ['id', 'amount'],
        rows:
          question.after === null
            ? [
                ['1', '-0.5'],
                ['2', '3'],
              ]
            : [['3', '4']],
        after: question.after === null ? '2' : null,
      });
    });
    expect(
      (await get('/api/admin/export?what=withdrawals&from=2026-03-01%2000:00:00&to=2026-03-01%2000:00:00')).text,
    ).toBe('id,amount\n1,-0.5\n2,3\n3,4\n');
    expect(asked).toEqual(
      [null, '2'].map((after) => ({
        what: 'withdrawals',
        from: Date.parse('2026-03-01T00:00:00Z'),
        to: Date.parse('2026-03-01T00:00:01Z'),
        after,
      })),
    );
    expect((await get('/api/admin/export?what=users&from=2026-03-01%2000:00:00&to=2026-03-01%2000:00:00')).status).toBe(
      503,
    );
    expect((await get('/api/admin/export?what=users')).text).toContain('common.fieldRequired');
    expect((await get('/api/admin/export?what=passwords')).text).toContain('common.fieldInvalid');
  });

  test('is for finance; the dashboard names the services that did not answer [TRAIL-003]', async () => {
    gateway.app.get(Asks).handle(serviceAsks.work('auth'), () => Promise.resolve({ kyc: 3 }));
    const dashboard = await get('/api/admin/dashboard');
    expect(dashboard.message).toMatchObject({
      work: { kyc: 3 },
      counts: { operator_actions_24h: expect.any(Number) },
      missing: ['wallet-ledger.work'],
      alarms: [],
    });
    gateway.people.set(71, person(71, { kind: 'operator', accountNumber: 'support1', roles: ['support'] }));
    token = gateway.token(71);
    expect([
      (await get('/api/admin/audit')).status,
      (await get('/api/admin/export?what=audit')).status,
      (await get('/api/admin/dashboard')).status,
    ]).toEqual([403, 403, 200]);
  });
});
