import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { toUnits } from '@bourse/money';
import { Alarms, Metrics, type Config } from '@bourse/platform';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { MIGRATIONS } from '../../src/migrations.js';
import { PostgresAcceptorDeals } from '../../src/acceptors/persistence/postgres-acceptor-deals.js';
import { PostgresAcceptors } from '../../src/acceptors/persistence/postgres-acceptors.js';
import { PostgresSealedAcceptorDeals } from '../../src/acceptors/persistence/postgres-sealed-acceptor-deals.js';
import { SealedAcceptorContacts } from '../../src/acceptors/application/contacts.js';
import { AcceptorReseal } from '../../src/acceptors/application/reseal.js';
import type { C2cDatabase } from '../../src/shared/application/database.js';
import { openAcceptorDeal, type AcceptorDeal } from '../../src/acceptors/domain/acceptor-deal.js';

jest.setTimeout(testTimeoutMs(24_000));

const NOW = 1_767_225_600_000;
const [USER, ACCEPTOR] = [1, 2];
const FACTS = { mobile: '+1 5550100', account: '4000 1234', acceptorAccount: '0000 1234' };
const KEYS = ['k1', 'k2'].map((id) => ({ id, secret: `${id}-secret-of-thirty-two-characters` }));
/** Seals under the first of these keys, and opens under all. */
const sealing = (...numbers: number[]): SealedAcceptorContacts =>
  new SealedAcceptorContacts({
    ...{
      dataKeys: numbers.map((number) => KEYS[number]),
      internalSecret: 'internal-secret-of-32-characters!',
      internalSecretsOld: [],
    },
  } as unknown as Config);

let world: TestDatabases;
let database: C2cDatabase;
let deals: PostgresAcceptorDeals;
beforeAll(async () => {
  world = await testDatabases({ shape: { schema: 'escrow', migrations: MIGRATIONS } });
  database = (await world.databases.open({ schema: 'escrow', migrations: MIGRATIONS, poolMax: 4 })) as C2cDatabase;
  deals = new PostgresAcceptorDeals(database);
  const terms = { name: 'Pier One', rechargeRate: 0n, cashRate: 0n };
  await database.transaction((tx) => new PostgresAcceptors(database).save(tx, ACCEPTOR, terms));
});
afterAll(() => world?.end());

const asked = (id: string, facts: string): AcceptorDeal => ({
  ...{ id, type: 'sell', userId: USER, acceptorId: ACCEPTOR, acceptorName: 'Pier One', currencyId: 3, scale: 8, facts },
  ...{ money: toUnits('100', 2), received: toUnits('98', 2), way: 'bank', silentMs: 60_000, autoMs: 30_000 },
  ...{ state: 'asking', stage: 'waiting', proof: '', evidence: '', reason: '', reasonKey: '', dueAt: null },
  ...{ autoAt: null, dispute: 'none', missing: 0n },
  ...{ createdAt: NOW, updatedAt: NOW },
});
const columns = async (id: string): Promise<string> =>
  JSON.stringify(
    await database.query('select mobile, account, acceptor_account, facts from acceptor_deal where id = $1', [id]),
  );

test('a deal is stored unchanged, with phone and accounts sealed [ACC-028]', async () => {
  const people = sealing(0);
  const deal = asked('11', people.seal('11', FACTS));
  await database.transaction((tx) => deals.insert(tx, deal));
  expect(await deals.find('11')).toEqual(deal);
  const open = openAcceptorDeal(deal, NOW + 5);
  await database.transaction((tx) => deals.save(tx, open));
  expect(await database.transaction((tx) => deals.lock(tx, '11'))).toEqual(open);
  expect(people.open('11', open.facts)).toEqual(FACTS);
  for (const text of Object.values(FACTS)) expect(await columns('11')).not.toContain(text);
  expect(() => people.open('12', open.facts)).toThrow('changed');
});

test('facts in the clear from a release before are read, and sealed while the exchange runs [ACC-028]', async () => {
  await database.execute(
    `insert into acceptor_deal (id, type, user_id, acceptor_id, acceptor_name, acceptor_account, currency_id, scale,
       coins, cash, way, mobile, account, silent_ms, auto_ms, state, stage, created_at, updated_at)
     values (21, 'sell', $1, $2, 'Pier One', $3, 3, 8, 100, 98, 'bank', $4, $5, 1, 1, 'open', 'objected', now(),
       now())`,
    [USER, ACCEPTOR, FACTS.acceptorAccount, FACTS.mobile, FACTS.account],
  );
  const before = await deals.find('21');
  expect(sealing(0).open('21', before!.facts)).toEqual(FACTS);
  const reseal = (people: SealedAcceptorContacts): AcceptorReseal =>
    new AcceptorReseal(new PostgresSealedAcceptorDeals(database), people, new Alarms(), new Metrics());
  expect(await reseal(sealing(0)).run()).toEqual({ sealed: 1, broken: 0 });
  for (const text of Object.values(FACTS)) expect(await columns('21')).not.toContain(text);
  const after = await deals.find('21');
  expect(sealing(0).open('21', after!.facts)).toEqual(FACTS);
  expect({ ...after, facts: '' }).toEqual({ ...before, facts: '' });
  expect(await reseal(sealing(1, 0)).run()).toEqual({ sealed: 2, broken: 0 });
  expect(await reseal(sealing(0)).run()).toEqual({ sealed: 0, broken: 2 });
});
