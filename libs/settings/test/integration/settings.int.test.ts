import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { decode, OperatorActionV1, ReferenceRowV1, TOPICS, type Message } from '@bourse/events';
import { InProcessLog, ServiceReference } from '@bourse/messaging';
import type { Database } from '@bourse/persistence';
import { Alarms, Refused } from '@bourse/platform';
import { eventually, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import {
  decimal,
  defineSetting,
  flag,
  integer,
  OutdatedChange,
  ServiceSettings,
  withDefault,
} from '../../src/index.js';

jest.setTimeout(testTimeoutMs(24_000));

const OPEN = defineSetting('open', flag(), true, 'The doors are open.', { guarded: false });
const FEE = defineSetting('fee', decimal({ scale: 4, max: '5' }), 1_000n as never, 'Fee in percent.', {
  guarded: false,
});
const LOW = defineSetting('low', integer({ max: 100 }), 10, 'Below the high one.', { guarded: false });
const HIGH = defineSetting('high', integer({ max: 100 }), 20, 'Above the low one.', { guarded: false });
const RULES = [{ says: 'low is below high', holds: (get: ServiceSettings['get']) => get(LOW) < get(HIGH) }];
const BY = { operatorId: 900_001, operator: 'admin', reason: 'a test of settings' };
const clock = { now: () => Date.UTC(2026, 0, 1) };

let world: TestDatabases;
let database: Database;
beforeAll(async () => {
  world = await testDatabases();
  database = await world.databases.open({ schema: 'owner', migrations: [] });
});
afterAll(async () => {
  await world?.end();
});

const open: ServiceSettings[] = [];
const start = async (of: Database = database, shared = false): Promise<ServiceSettings> => {
  const settings = new ServiceSettings(of, clock, {
    service: 'owner',
    settings: [OPEN, FEE, LOW, HIGH],
    rules: RULES,
    shared,
  });
  await settings.load();
  await settings.onModuleInit();
  open.push(settings);
  return settings;
};
let settings: ServiceSettings;
beforeEach(async () => {
  await database.execute('delete from setting_value');
  settings = await start();
});
afterEach(() => {
  for (const one of open.splice(0)) one.onApplicationShutdown();
});

const emitted = async (topic: string): Promise<Message[]> => {
  const rows = await database.query<{ payload: string }>(
    'select payload from outbox where topic = $1 order by number',
    [topic],
  );
  return rows.flatMap(({ payload }) => JSON.parse(payload) as Message[]);
};

test('a change is in force at once and after a restart, and audited with both values [SETTING-001]', async () => {
  const told: string[] = [];
  settings.onChange((key) => told.push(key));
  await settings.save('fee', '0.25', BY);
  expect(settings.get(FEE)).toBe(2_500n);
  expect(told).toEqual(['fee']);
  expect((await start()).get(FEE)).toBe(2_500n);

  const [action] = (await emitted(TOPICS.operatorActions))
    .slice(-1)
    .map((message) => decode(OperatorActionV1, message));
  if (!action?.ok) throw new Error('the audit log got no line that can be read');
  expect(action.body).toMatchObject({
    operatorId: 900_001,
    action: 'settings.save',
    target: 'fee',
    reason: 'a test of settings',
    before: '{"fee":"0.1"}',
    after: '{"fee":"0.25"}',
  });
  const published = (await emitted(TOPICS.reference)).map((message) => decode(ReferenceRowV1, message));
  const versions = published.flatMap((row) =>
    row.ok && row.body.id === 'fee' ? [[row.body.version, row.body.row.value]] : [],
  );
  expect(versions).toContainEqual([1, '0.25']);
});

test('a value that does not fit changes nothing, and the refusal has the bounds [SETTING-002]', async () => {
  const refusal = async (key: string, value: string): Promise<Refused> => {
    const error = await settings.save(key, value, BY).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refused);
    return error as Refused;
  };
  const before = (await emitted(TOPICS.operatorActions)).length;
  expect((await refusal('nothing', '1')).key).toBe('common.notFound');
  for (const [key, value] of [
    ['open', 'yes'],
    ['fee', '5.0001'],
    ['fee', '0.00001'],
    ['low', '20'],
    ['high', '10'],
  ] as const)
    expect(await refusal(key, value)).toMatchObject({ key: 'common.fieldInvalid', options: { field: 'value' } });
  expect((await refusal('fee', '9')).options.extra).toMatchObject({ bounds: { scale: 4, min: '0', max: '5' } });
  expect(await emitted(TOPICS.operatorActions)).toHaveLength(before);
  expect(await database.query('select key from setting_value')).toEqual([]);
});

test('of two changes that break a rule only together, one is refused [SETTING-002]', async () => {
  await settings.save('high', '30', BY);
  const other = await start(await world.another().open({ schema: 'owner', migrations: [] }));
  const ends = await Promise.allSettled([settings.save('low', '25', BY), other.save('high', '21', BY)]);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('another instance of the owner follows within two seconds, and never back [SETTING-004]', async () => {
  const other = await start(await world.another().open({ schema: 'owner', migrations: [] }), true);
  await settings.save('open', '0', BY);
  await eventually(() => !other.get(OPEN), 2_000);
  await other.save('open', '1', BY);
  expect(other.get(OPEN)).toBe(true);
  await settings.save('open', '0', BY);
  await eventually(() => !other.get(OPEN), 2_000);
});

test('a read from before a change that arrives after it replaces nothing [SETTING-004]', async () => {
  let [arrived, deliver] = [(): void => undefined, (): void => undefined];
  let isSlow = false;
  const read = new Promise<void>((resolve) => (arrived = resolve));
  const delivered = new Promise<void>((resolve) => (deliver = resolve));
  const find = async (...asked: Parameters<Database['manager']['find']>): Promise<unknown> => {
    const rows = await database.manager.find(...asked);
    if (!isSlow) return rows;
    arrived();
    await delivered;
    return rows;
  };
  const slow = new Proxy(database, {
    get(target, name) {
      if (name === 'manager') return { find };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const late = await start(slow);
  isSlow = true;
  const loading = late.load();
  await read;
  await late.save('open', '0', BY);
  deliver();
  await loading;
  expect(late.get(OPEN)).toBe(false);
});

test('a service that only reads has the default, then the copy, also after a restart [SETTING-005]', async () => {
  const log = new InProcessLog(
    { instance: 'p', partitions: { [TOPICS.reference]: 1 }, alarms: new Alarms() },
    world.databases,
  );
  const schema = await world.databases.open({ schema: 'reader', migrations: [] });
  const reference = new ServiceReference(log, schema, 'reader');
  const reader = new ServiceSettings(schema, clock, { service: 'reader', settings: [], shared: false }, reference);
  expect(reader.get(withDefault(LOW, 3))).toBe(3);
  const told: string[] = [];
  reader.onChange((key) => told.push(key));
  await settings.save('low', '12', BY);
  await eventually(() => reader.get(LOW) === 12, 5_000);
  expect(told).toContain('low');
  await reference.onApplicationShutdown();
  await log.close();
});

test('a stored value that no longer fits is brought within its bounds [SETTING-006] [HARD-462]', async () => {
  await database.execute(`insert into setting_value (key, version, value) values ('fee', 3, '9.5'), ('open', 1, 'x')`);
  const fitted = await start();
  expect([fitted.get(FEE), fitted.get(OPEN)]).toEqual([50_000n, true]);
  expect(await database.query('select key, version::int, value from setting_value order by key')).toEqual([
    { key: 'fee', version: 4, value: '5' },
    { key: 'open', version: 2, value: '1' },
  ]);
  const lines = (await emitted(TOPICS.operatorActions)).slice(-2).map((message) => decode(OperatorActionV1, message));
  expect(lines).toMatchObject(
    ['open', 'fee'].map((target) => ({ ok: true, body: { action: 'settings.fit', operator: 'owner', target } })),
  );
});

test('stored values that break a rule within narrower bounds go back to their defaults [HARD-462]', async () => {
  // Within its bounds the low one is 100, and no longer below the high one.
  await database.execute(`insert into setting_value (key, version, value) values ('low', 1, '1000')`);
  expect((await start()).get(LOW)).toBe(10);
});

describe('a guarded setting [HARD-461] [HARD-464]', () => {
  const CAP = defineSetting('cap', integer({ max: 100 }), 10, 'What the house owes.', { guarded: true });
  const requests: { readonly call: string; readonly payload: object }[] = [];
  const guarded = {
    ask: (_by: object, request: (typeof requests)[number]) => Promise.resolve(requests.push(request)),
  };
  const payload = (value: string) => ({ service: 'owner', kind: 'setting', key: 'cap', value }) as const;
  const approved = (approvalId: number, value: string, before: string) => ({
    ...{ approvalId, payload: payload(value), before: { cap: before } },
    ...{ by: BY, approvedBy: ['second'] },
  });
  const began = async (): Promise<ServiceSettings> => {
    const options = { service: 'owner', settings: [CAP], shared: false };
    const one = new ServiceSettings(database, clock, options, null, guarded);
    await one.load();
    return one;
  };
  beforeEach(async () => {
    requests.length = 0;
    await database.execute('delete from carried_out');
  });

  test('waits for its approval, and is refused at once beyond its bounds', async () => {
    const one = await began();
    expect(await one.save('cap', '20', BY)).toBe(1);
    expect(requests).toMatchObject([{ call: 'settings/save', target: 'cap', payload: payload('20') }]);
    expect(one.get(CAP)).toBe(10);
    // Nothing changes: nothing waits.
    expect(await one.save('cap', '10', BY)).toBeNull();
    await expect(one.save('cap', '101', BY)).rejects.toMatchObject({ key: 'common.fieldInvalid' });
    expect(requests).toHaveLength(1);
    expect([await one.currentValue(payload('20')), await one.currentValue(payload('101'))]).toEqual([
      { cap: '10' },
      null,
    ]);
  });

  test('is carried out once, and only against the value at its request', async () => {
    const one = await began();
    await one.carryOut(payload('20'), approved(7, '20', '10'));
    expect(one.get(CAP)).toBe(20);
    // The answer was lost, and auth asks again after another change has restored the value.
    await one.carryOut(payload('10'), approved(8, '10', '20'));
    await one.carryOut(payload('20'), approved(7, '20', '10'));
    expect(one.get(CAP)).toBe(10);
    await expect(one.carryOut(payload('30'), approved(9, '30', '20'))).rejects.toThrow(OutdatedChange);
    // A refusal leaves no mark: against the right value it is carried out.
    await one.carryOut(payload('30'), approved(9, '30', '10'));
    expect((await began()).get(CAP)).toBe(30);
  });

  test('of many that are carried out at once against one value, one is in force', async () => {
    const one = await began();
    const values = ['41', '42', '43', '44', '45', '46'];
    const outcomes = await Promise.allSettled(
      values.map((value, at) => one.carryOut(payload(value), approved(20 + at, value, '10'))),
    );
    const done = values.filter((_, at) => outcomes[at]!.status === 'fulfilled');
    expect(done).toHaveLength(1);
    expect((await began()).get(CAP)).toBe(Number(done[0]));
  });
});
