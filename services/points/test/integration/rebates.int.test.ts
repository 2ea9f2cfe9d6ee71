import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { FeesPaidV1, LedgerCommandV1, PersonFactV1, TOPICS, type LedgerCommand, type Message } from '@bourse/events';
import type { MoveSpec, Sagas } from '@bourse/ledger-client';
import type { Reference } from '@bourse/messaging';
import type { TimerHandler, Timers, Tx } from '@bourse/persistence';
import { SystemClock } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { MIGRATIONS } from '../../src/migrations.js';
import { PostgresPointsAudit } from '../../src/shared/persistence/range-audit.js';
import { PostgresRebates } from '../../src/team/persistence/postgres-rebates.js';
import { PostgresTeam } from '../../src/team/persistence/postgres-team.js';
import { TeamAudit } from '../../src/team/persistence/audit.js';
import type { PointsDatabase } from '../../src/shared/application/database.js';
import { ProfitList } from '../../src/team/application/profit-list.js';
import { RebatePayments } from '../../src/team/application/rebate-payments.js';
import { Rebates } from '../../src/team/application/rebates.js';
import { TeamFacts } from '../../src/team/application/team-facts.js';
import { dayOf, paymentOf } from '../../src/team/domain/rebate.js';

jest.setTimeout(testTimeoutMs(24_000));

const USDT = 3;
const DAY_MS = 86_400_000;
const FIRST = { page: 1, size: 20, offset: 0 };
const [ANN, BEN, CARL, DORA, EVE] = [200_001, 200_002, 200_003, 200_004, 200_005];
const MAKER = 100_090;

const reference = {
  get: () => ({ scale: 8, name: 'USDT' }),
  ready: () => Promise.resolve(),
} as unknown as Reference;
let world: TestDatabases;
let database: PointsDatabase;
let store: PostgresRebates;
let facts: TeamFacts;
let rebates: Rebates;
let profits: ProfitList;
let sent: LedgerCommand[];
let booked: (objects: readonly string[]) => Promise<void>;
let due: Map<string, { kind: string; id: string; dueAt: number }>;
let fire: (until: number) => Promise<void>;

beforeAll(async () => {
  world = await testDatabases({ shape: { schema: 'points', migrations: MIGRATIONS } });
  database = (await world.databases.open({ schema: 'points', migrations: MIGRATIONS, poolMax: 6 })) as PointsDatabase;
  const team = new PostgresTeam(database);
  const clock = new SystemClock();
  store = new PostgresRebates(database);
  facts = new TeamFacts(team, clock);
  rebates = new Rebates(team, store, new FixedSettings(), reference);
  profits = new ProfitList(store, reference);
  due = new Map();
  const handlers = new Map<string, TimerHandler>();
  const timers = {
    handle: (kind: string, handler: TimerHandler) => handlers.set(kind, handler),
    set: (_: Tx, kind: string, id: string, dueAt: number) =>
      Promise.resolve(due.set(`${kind} ${id}`, { kind, id, dueAt })),
  } as unknown as Timers;
  let spec: MoveSpec | undefined;
  const sagas = {
    defineMove: (moves: MoveSpec) => {
      spec = moves;
      return {
        beginAll: (_: Tx, all: readonly { command: Omit<LedgerCommand, 'resultTo'> }[]) => {
          for (const { command } of all) sent.push(LedgerCommandV1.schema.parse(command));
          return Promise.resolve();
        },
      };
    },
  } as unknown as Sagas;
  const payments = new RebatePayments(sagas, database, timers, team, store, reference, clock);
  booked = (objects) => database.transaction((tx) => spec!.onAllBooked!(tx, objects));
  fire = async (until) => {
    for (;;) {
      const next = [...due.values()].filter(({ dueAt }) => dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0];
      if (!next) return;
      due.delete(`${next.kind} ${next.id}`);
      await database.transaction((tx) => handlers.get(next.kind)!({ ...next, payload: null }, tx));
    }
  };
  await payments.onApplicationBootstrap();
  await payments.onApplicationBootstrap();
  await people(
    registered(ANN, null),
    registered(BEN, ANN),
    registered(CARL, BEN),
    registered(DORA, CARL),
    registered(EVE, DORA),
  );
});
afterAll(() => world?.end());
beforeEach(() => {
  sent = [];
});

const registered = (userId: number, inviterId: number | null): Message =>
  PersonFactV1.encode({ fact: 'registered', userId, inviterId, at: 1 });
const people = (...messages: Message[]): Promise<void> =>
  database.transaction(async (tx) => {
    await facts.people(messages, tx);
    await rebates.retry(tx);
  });
const today = dayOf(Date.now());
let journals = 0;
const fee = (
  payer: number,
  amount: string,
  { cause = 'trade', day = today, journal = `trade:X:${(journals += 1)}` } = {},
) => FeesPaidV1.encode({ fees: [{ journal, payer, currency: USDT, amount, cause, at: day * DAY_MS + 5 }] });
const fees = (...messages: Message[]): Promise<void> => database.transaction((tx) => rebates.fees(messages, tx));
const owed = async (): Promise<Record<string, string>> => {
  const rows = await world.query<{ day: number; person: number; sum: string }>(
    `select day - $1::int as day, person::int, trim_scale(sum)::text as sum from points.rebate_day order by 1, 2`,
    [today],
  );
  return Object.fromEntries(rows.map(({ day, person, sum }) => [`${day}.${person}`, sum]));
};
const paidOut = (): string[] =>
  sent.map(({ userId, issuer, journals: [journal] }) => {
    const [leg] = journal!.legs;
    const amount = JSON.stringify(leg?.amount).slice(1, -1);
    return `${issuer} ${userId} ${leg?.from} ${leg?.to.slice(leg.to.indexOf('change'))} ${amount}`;
  });
const failedChecks = async (): Promise<string[]> =>
  (await new PostgresPointsAudit(database, [new TeamAudit()], 1_000).checks())
    .filter(({ ok, name }) => !ok && name !== 'rebateTurns')
    .map(({ name, detail }) => `${name}: ${detail}`);

test('a fee of 10 pays three generations 2, 1 and 0.50, a repeat pays nothing [TEAM-020]', async () => {
  const trade = fee(EVE, '10');
  await fees(trade, fee(EVE, '3', { cause: 'withdrawal' }), fee(MAKER, '7'), fee(ANN, '7'));
  await fees(trade);
  expect(await owed()).toEqual({ [`0.${DORA}`]: '2', [`0.${CARL}`]: '1', [`0.${BEN}`]: '0.5' });
  expect(await failedChecks()).toEqual([]);
});

test('a day is paid once, late fees go to the next, the remainder is carried [TEAM-021] [TEAM-022]', async () => {
  await fees(fee(EVE, '0.00000001'));
  await fire(paymentOf(today) - 1);
  expect(sent).toEqual([]);
  await fire(paymentOf(today));
  expect(paidOut()).toEqual([
    `points ${BEN} h.fees change 0.50000000`,
    `points ${CARL} h.fees change 1.00000000`,
    `points ${DORA} h.fees change 2.00000000`,
  ]);
  const objects = sent.map(({ journals: [journal] }) => journal!.causeId);
  expect((await profits.of(DORA, FIRST, 'en')).data).toEqual([]);
  await booked(objects);
  await booked(objects);
  expect(await profits.of(DORA, FIRST, 'de')).toMatchObject({
    total: 1,
    data: [
      {
        value: '2.00000000',
        currency_name: 'USDT',
        info: expect.stringMatching(/^Team-Vergütung vom \d{4}-\d\d-\d\d$/),
      },
    ],
  });
  // 0.00000001 × 20 % five times is a unit; the fees are of the day that is paid already.
  await fees(...Array.from({ length: 4 }, () => fee(EVE, '0.00000001')));
  expect(await owed()).toMatchObject({ [`1.${DORA}`]: '0.000000008' });
  sent = [];
  await fire(paymentOf(today + 1));
  expect(paidOut()).toEqual([`points ${DORA} h.fees change 0.00000001`]);
  expect(await failedChecks()).toEqual([]);
});

test('returned fees lower later rebates, over days, and nobody is debited [TEAM-021]', async () => {
  await fees(fee(EVE, '-10', { cause: 'micro', day: today + 2 }));
  await fire(paymentOf(today + 2));
  expect(sent).toEqual([]);
  await fees(fee(EVE, '15', { day: today + 3 }));
  await fire(paymentOf(today + 6));
  expect(paidOut()).toEqual([
    `points ${BEN} h.fees change 0.25000000`,
    `points ${CARL} h.fees change 0.50000000`,
    `points ${DORA} h.fees change 1.00000000`,
  ]);
  expect(await failedChecks()).toEqual([]);
});

test('a fee that comes before the registration of its line waits for it [TEAM-023]', async () => {
  const [child, parent] = [300_002, 300_001];
  await fees(fee(child, '10', { day: today + 20 }));
  expect(await owed()).toEqual({});
  await people(registered(child, parent));
  expect(await owed()).toEqual({});
  await people(registered(parent, EVE));
  expect(await owed()).toEqual({
    [`20.${parent}`]: '2',
    [`20.${EVE}`]: '1',
    [`20.${DORA}`]: '0.5',
  });
  expect(await world.query('select 1 from points.rebate_waiting')).toEqual([]);
  expect(await failedChecks()).toEqual([]);
});

test('the auditor finds amounts owed or carried without a reason [TEAM-024]', async () => {
  for (const [table, check] of [
    ['rebate_day set sum', 'rebateDays'],
    ['rebate_carry set amount', 'rebateCarries'],
  ] as const) {
    const column = table.split(' ').at(-1);
    await world.query(`update points.${table} = ${column} + 1 where person = $1`, [DORA]);
    expect((await failedChecks()).join()).toMatch(new RegExp(check));
    await world.query(`update points.${table} = ${column} - 1 where person = $1`, [DORA]);
  }
});

test('reported facts are in the outbox of the service [TEAM-024]', async () => {
  const rows = await world.query<{ payload: string }>(`select payload from points.outbox where topic = $1`, [
    TOPICS.userNotices,
  ]);
  expect(rows.flatMap(({ payload }) => JSON.stringify(JSON.parse(payload))).join()).toMatch(/"amount":"2 USDT"/);
});

test('payments of a person are checked in turn, then in each round until they are right [TEAM-025]', async () => {
  const audit = new PostgresPointsAudit(database, [new TeamAudit()], 2);
  const wrong = async (): Promise<boolean> =>
    (await audit.checks()).some(({ name, ok }) => name === 'rebateCarries' && !ok);
  const [{ members } = { members: 0 }] = await world.query<{ members: number }>(
    'select count(*)::int as members from points.team_member',
  );
  /** Rounds that cover all members. */
  const round = Math.floor(members / 2) + 1;
  const looks = async (count: number): Promise<boolean[]> => {
    const found: boolean[] = [];
    for (let look = 0; look < count; look += 1) found.push(await wrong());
    return found;
  };
  expect(await looks(round)).not.toContain(true);
  await world.query(`update points.rebate_carry set amount = amount + 1 where person = ${DORA}`);
  const found = await looks(round);
  expect(found).toContain(true);
  expect(found.slice(found.indexOf(true))).not.toContain(false);
  expect(await looks(round)).not.toContain(false);
  await world.query(`update points.rebate_carry set amount = amount - 1 where person = ${DORA}`);
  expect(await looks(round)).not.toContain(true);
  await world.query(`insert into points.rebate_carry values (${EVE + 1}, ${USDT}, 1)`);
  expect(await looks(round)).toContain(true);
  await world.query(`delete from points.rebate_carry where person = ${EVE + 1}`);
});
