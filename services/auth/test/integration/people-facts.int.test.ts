import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { PeopleFacts } from '../../src/shared/application/people-facts.js';
import { AuthDatabase } from '../../src/shared/application/ports/database.js';
import { startAuth, type AuthProcess } from './auth-process.js';
import { factsOf, peopleOf } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);

test('demo people are published with their inviters, and certified ones as certified [TEAM-001]', async () => {
  expect(await factsOf(auth, 100002)).toEqual([
    { fact: 'registered', userId: 100002, inviterId: 100001, at: expect.any(Number) },
    { fact: 'certified', userId: 100002, at: expect.any(Number) },
  ]);
});

test('a certificate that is withdrawn and granted again is published once [TEAM-001]', async () => {
  const { id } = await people.register();
  const [facts, database] = [auth.get$(PeopleFacts), auth.get$(AuthDatabase)];
  await database.transaction((tx) => facts.certified(tx, id, 5));
  await database.transaction((tx) => facts.certified(tx, id, 6));
  await expect(
    database.transaction(async (tx) => {
      await facts.registered(tx, id, null, 7);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(await factsOf(auth, id)).toEqual([
    { fact: 'registered', userId: id, inviterId: null, at: expect.any(Number) },
    { fact: 'certified', userId: id, at: 5 },
  ]);
});

test('people of an earlier release are published once at the start, by several processes [TEAM-002]', async () => {
  const someone = await Promise.all([people.register(), people.register()]);
  const ids = someone.map(({ id }) => id);
  await auth.databases.query('delete from auth.outbox where topic = $1', ['people.facts']);
  await auth.databases.query(
    `update auth.account set registered_told = false, certified_told = false, inviter_id = 100001,
       review_status = case when id = $1 then 2 else 0 end where id = any($2::bigint[])`,
    [ids[0], ids],
  );
  const facts = auth.get$(PeopleFacts);
  const told = await Promise.all([facts.catchUp(), facts.catchUp(), facts.catchUp()]);
  expect(told.reduce((sum, count) => sum + count, 0)).toBe(2);
  expect((await factsOf(auth, ids[0]!)).map(({ fact }) => fact)).toEqual(['registered', 'certified']);
  expect(await factsOf(auth, ids[1]!)).toEqual([
    { fact: 'registered', userId: ids[1], inviterId: 100001, at: expect.any(Number) },
  ]);
  expect(await facts.catchUp()).toBe(0);
});
