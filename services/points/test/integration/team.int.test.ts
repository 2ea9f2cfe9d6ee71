import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { DepositCreditedV1, PersonFactV1, TOPICS, type Message, type UserNotices } from '@bourse/events';
import { SystemClock } from '@bourse/platform';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { MIGRATIONS } from '../../src/migrations.js';
import { PostgresPointsAudit } from '../../src/shared/persistence/range-audit.js';
import { PostgresTeam } from '../../src/team/persistence/postgres-team.js';
import { TeamAudit } from '../../src/team/persistence/audit.js';
import type { PointsDatabase } from '../../src/shared/application/database.js';
import { TeamFacts } from '../../src/team/application/team-facts.js';
import { TeamView, TREE_DEPTH, TREE_NODES } from '../../src/team/application/team-view.js';

jest.setTimeout(testTimeoutMs(24_000));

let world: TestDatabases;
let database: PointsDatabase;
let store: PostgresTeam;
let facts: TeamFacts;
let view: TeamView;
beforeAll(async () => {
  world = await testDatabases({ shape: { schema: 'points', migrations: MIGRATIONS } });
  database = (await world.databases.open({ schema: 'points', migrations: MIGRATIONS, poolMax: 6 })) as PointsDatabase;
  store = new PostgresTeam(database);
  facts = new TeamFacts(store, new SystemClock());
  view = new TeamView(store, { of: async (ids) => new Map(ids.map((id) => [id, `m***${id}`])) });
});
afterAll(() => world?.end());

const registered = (userId: number, inviterId: number | null): Message =>
  PersonFactV1.encode({ fact: 'registered', userId, inviterId, at: userId });
const certified = (userId: number): Message => PersonFactV1.encode({ fact: 'certified', userId, at: userId });
const deposit = (id: string, userId: number, value: string): Message =>
  DepositCreditedV1.encode({ id, userId, currency: 3, amount: value, value, at: 1 });
const people = (...messages: Message[]): Promise<void> => database.transaction((tx) => facts.people(messages, tx));
const deposits = (...messages: Message[]): Promise<void> => database.transaction((tx) => facts.deposits(messages, tx));
const failedChecks = async (): Promise<string[]> =>
  (await new PostgresPointsAudit(database, [new TeamAudit()], 10_000).checks())
    .filter(({ ok }) => !ok)
    .map(({ name, detail }) => `${name}: ${detail}`);

test('facts of two streams at once, again and undone, make one team [TEAM-010] [TEAM-011]', async () => {
  await Promise.all([
    // What one stream brings comes in its order.
    people(registered(1, null), registered(2, 1), registered(3, 2), certified(3)).then(() =>
      people(certified(3), registered(3, 1)),
    ),
    deposits(deposit('501', 3, '50.5'), deposit('502', 2, '7'), deposit('501', 3, '50.5')),
    deposits(deposit('502', 2, '7')),
  ]);
  await expect(
    database.transaction(async (tx) => {
      await facts.deposits([deposit('503', 3, '1000')], tx);
      throw new Error('killed before its commit');
    }),
  ).rejects.toThrow('killed');
  await deposits(deposit('501', 3, '50.5'));
  expect(await store.member(1)).toMatchObject({ direct: 0, team: 1, invited: 1, topUp: 5_750_000_000n });
  expect(await store.member(2)).toMatchObject({ direct: 1, team: 1, invited: 1, topUp: 5_050_000_000n });
  expect(await failedChecks()).toEqual([]);
});

test('the person gets a notice of a rise, and a rank does not fall [TEAM-012]', async () => {
  await people(registered(20, null), ...[21, 22, 23].flatMap((id) => [registered(id, 20), certified(id)]));
  const rows = await world.query<{ payload: string }>(
    `select payload from points.outbox where topic = $1 order by number`,
    [TOPICS.userNotices],
  );
  const notices = rows.flatMap(({ payload }) =>
    (JSON.parse(payload) as { body: UserNotices }[]).flatMap(({ body }) => body.notices),
  );
  expect(notices).toEqual([expect.objectContaining({ userId: 20, kind: 'rankRisen', params: { rank: 1 } })]);
  expect(await store.member(20)).toMatchObject({ rank: 1, direct: 3 });
});

test('a tree comes in parts: levels, members and successors of a member are bounded [TEAM-013]', async () => {
  const wide = Array.from({ length: TREE_NODES.own + 5 }, (_, at) => 2_000 + at);
  await people(registered(1_000, null), ...wide.map((id) => registered(id, 1_000)));
  const chain = Array.from({ length: TREE_DEPTH + 10 }, (_, at) => 5_000 + at);
  await people(...chain.map((id, at) => registered(id, at === 0 ? 2_000 : id - 1)));
  const first = await view.own(1_000, {});
  expect(first.results.map(({ id }) => id)).toEqual(wide.slice(0, TREE_NODES.own));
  expect(first.results[0]).toMatchObject({ id: 2_000, name: 'm***2000', direct: 1, children: [] });
  const rest = await view.own(1_000, { after: wide[TREE_NODES.own - 1] });
  // The last five, and nothing of the chain below the first one.
  expect(rest.results).toEqual(wide.slice(-5).map((id) => ({ id, name: `m***${id}`, direct: 0, children: [] })));
  let level: readonly unknown[] = (await view.own(1_000, { userId: 2_000 })).results;
  let depth = 0;
  for (; level.length > 0; level = (level[0] as { children: unknown[] }).children) depth += 1;
  expect(depth).toBe(TREE_DEPTH);
  // A member in the team of another, and one outside: for the latter the own team is returned.
  expect((await view.own(2_000, { userId: 1_000 })).results[0]?.id).toBe(5_000);
  expect((await view.own(2_000, { userId: 5_059 })).results).toEqual([]);
  expect((await view.own(2_000, { userId: 5_058 })).results[0]?.id).toBe(5_059);
  expect((await view.own(99, {})).show_message).toEqual({ top_upnumber: '0', real_teamnumber: 0, rank: 0, direct: 0 });
});

test('a stranger sees a shape without people, and no more than 500 of it [TEAM-013]', async () => {
  const { results } = await view.ofStranger(1_000);
  expect(results).toHaveLength(TREE_NODES.stranger);
  expect(results.map(({ id }) => id)).toEqual(Array.from({ length: TREE_NODES.stranger }, (_, at) => at + 1));
  expect(results.every((node) => Object.keys(node).sort().join() === 'children,id')).toBe(true);
  await deposits(deposit('504', 777, '5'));
  for (const id of [4, 777]) await expect(view.ofStranger(id)).rejects.toMatchObject({ key: 'common.notFound' });
  expect(await failedChecks()).toEqual([]);
});

test('the auditor finds a sum that differs from the members below [TEAM-014]', async () => {
  for (const [change, undo] of [
    ['team = team + 1', 'team = team - 1'],
    ['top_up = top_up + 1', 'top_up = top_up - 1'],
    ['own_top_up = own_top_up + 1', 'own_top_up = own_top_up - 1'],
    ['direct = direct + 1', 'direct = direct - 1'],
  ]) {
    await world.query(`update points.team_member set ${change} where id = 2`);
    expect((await failedChecks()).join()).toMatch(/member [123]/);
    await world.query(`update points.team_member set ${undo} where id = 2`);
  }
  await world.query('update points.team_member set rank = 0 where id = 20');
  expect(await failedChecks()).toEqual([expect.stringContaining('teamRanks')]);
  await world.query('update points.team_member set rank = 1 where id = 20');
});

test('a wrong sum is found when its person is checked, and until it is repaired [TEAM-025]', async () => {
  const audit = new PostgresPointsAudit(database, [new TeamAudit()], 100);
  const wrong = async (): Promise<string[]> => (await audit.checks()).filter(({ ok }) => !ok).map(({ name }) => name);
  const [{ members } = { members: 0 }] = await world.query<{ members: number }>(
    'select count(*)::int as members from points.team_member',
  );
  const looks = Math.floor(members / 100) + 1;
  await world.query(`insert into points.team_deposit values ('stray', 9007199254740000, 5, 1)`);
  await world.query('update points.team_member set own_top_up = own_top_up + 1 where id = 1500');
  const found: string[][] = [];
  for (let look = 0; look < looks; look += 1) found.push(await wrong());
  expect(found[0]).toEqual([]);
  expect(found.at(-1)).toContain('teamDeposits');
  // Both ranges are checked again: the row stays wrong, and so does the answer.
  expect(await wrong()).toContain('teamDeposits');
  await world.query('update points.team_member set own_top_up = own_top_up - 1 where id = 1500');
  expect(await wrong()).toContain('teamDeposits');
  await world.query(`delete from points.team_deposit where id = 'stray'`);
  for (let look = 0; look < looks + 1; look += 1) expect(await wrong()).toEqual([]);
});
