import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { authAsks, gatewayAsks } from '@bourse/messaging';
import { Alarms } from '@bourse/platform';
import { eventually, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { Reseal } from '../../src/shared/persistence/reseal.js';
import { Retention } from '../../src/operators/persistence/retention.js';
import { AuthDatabase } from '../../src/shared/application/ports/database.js';
import { People } from '../../src/shared/application/ports/people.js';
import { PEPPER, startAuth, type AuthProcess } from './auth-process.js';
import { FUND, PASSWORD, peopleOf } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

const KEY_1 = `k1:${'a first key for personal data '.repeat(2).trim()}`;
const KEY_2 = `k2:${'the next key for personal data '.repeat(2).trim()}`;
const SECRETS = [
  'Wilhelmina Markworth',
  'ID-770-4711',
  'DE02 1203 0000 0000 2020 51',
  'Harbour Bank of Porto',
  'wil-pay',
];
const BANK = {
  real_name: SECRETS[0]!,
  bank_no: SECRETS[2]!,
  bank_name: SECRETS[3]!,
  region: 'Porto/Foz',
  phone: '5550177777',
};

let databases: TestDatabases;
let auth: AuthProcess;
let pepperNow = PEPPER;
/** Auth started again on the same database. */
async function startAgain(env: Record<string, string>): Promise<void> {
  await auth.end();
  // The install knows by which pepper it was made, and the one that replaced it.
  pepperNow = env['PASSWORD_PEPPER'] ?? pepperNow;
  auth = await startAuth({ DATABASE_URL: databases.url, PASSWORD_PEPPER: pepperNow, ...env });
}
beforeAll(async () => {
  databases = await testDatabases();
  auth = await startAuth({ DATABASE_URL: databases.url, DATA_KEYS: KEY_1 });
});
afterAll(async () => {
  await auth.end();
  await databases.end();
});
const people = peopleOf(() => auth);
const alarms = (): string[] =>
  auth
    .get$(Alarms)
    .list()
    .map(({ name }) => name);
const tables = ['account', 'bank', 'payment_settings', 'identity', 'operator', 'api_key'];
/** The whole content of the tables, as readable from the files of the database. */
const raw = async (): Promise<string> =>
  JSON.stringify(await Promise.all(tables.map((table) => databases.query(`select * from auth.${table} order by 1`))));
const clear = async (): Promise<string[]> => {
  const all = await raw();
  return [...SECRETS, 'Harbour Bank', 'DEMO100001', 'Porto', 'Lisbon/Alfama'].filter((text) => all.includes(text));
};
const ids = async (column: string, table: string): Promise<string[]> =>
  (
    await databases.query<{ id: string }>(
      `select distinct split_part(${column}, '.', 2) as id from auth.${table} where ${column} <> ''`,
    )
  ).map(({ id }) => id);

describe('personal data at rest [HARD-316]', () => {
  let who: Awaited<ReturnType<typeof people.register>>;

  test('names, numbers, banks and payment settings are in no table and readable by authorised calls only', async () => {
    who = await people.register();
    await people.setFund(who);
    const { caller } = who;
    const pictures = { front_pic: people.upload(who.id, 'kyc'), reverse_pic: people.upload(who.id, 'kyc') };
    const sent = await auth.post(
      '/api/user/real_name',
      { name: SECRETS[0]!, card_id: SECRETS[1]!, ...pictures },
      { caller },
    );
    expect(sent.type).toBe('ok');
    expect((await auth.post('/api/user/set_bank_account', BANK, { caller })).type).toBe('ok');
    const payment = {
      realName: SECRETS[0]!,
      bankName: SECRETS[3]!,
      bankAccount: SECRETS[2]!,
      alipayAccount: SECRETS[4]!,
      alipayCollect: '',
      wechatAccount: '',
      wechatNickname: '',
      wechatCollect: '',
    };
    const database = auth.get$(AuthDatabase);
    const store = auth.get$(People);
    await database.transaction((tx) => store.setPayment(tx, who.id, payment));
    expect(await clear()).toEqual([]);

    expect(await store.paymentOf(database, who.id)).toEqual(payment);
    expect((await store.byId(database, who.id))?.name).toBe(SECRETS[0]);
    expect(await store.bankOf(database, who.id)).toMatchObject({ bankNo: SECRETS[2], region: 'Porto/Foz' });
    expect((await store.bankOf(database, 100001))?.bankName).toBe('Harbour Bank');
  });

  test('sealed names are found by the whole name or a word of it, people of a region by their agent', async () => {
    const [database, store] = [auth.get$(AuthDatabase), auth.get$(People)];
    const found = async (keyword: string): Promise<number[]> =>
      (await store.search(database, { keyword }, { size: 10, offset: 0 })).rows.map(({ id }) => id);
    for (const keyword of ['wilhelmina markworth', 'MARKWORTH']) expect(await found(keyword)).toEqual([who.id]);
    expect(await found('Markwort')).toEqual([]);
    const inRegion = async (city: string, district: string | null): Promise<number> =>
      (await store.inRegion(database, { city, district }, { size: 10, offset: 0 })).total;
    expect([await inRegion('Porto', null), await inRegion('Porto', 'Foz'), await inRegion('Porto', 'Bonfim')]).toEqual([
      1, 1, 0,
    ]);
    expect(await inRegion('Lisbon', null)).toBe(2);
  });

  test('a seal that is moved to another row does not open', async () => {
    const [database, store] = [auth.get$(AuthDatabase), auth.get$(People)];
    const other = await people.register();
    await databases.query(
      `insert into auth.bank
        select $1, real_name, bank_no, bank_name, region, phone, sealed, city_mark, area_mark
        from auth.bank
        where user_id = $2`,
      [other.id, who.id],
    );
    await expect(store.bankOf(database, other.id)).rejects.toThrow('sealed for something else');
    await databases.query('delete from auth.bank where user_id = $1', [other.id]);
  });

  test('clear text of an earlier release is sealed at the start, and a second start changes nothing', async () => {
    await databases.query(
      `update auth.bank
        set real_name = $2, bank_no = $3, bank_name = $4, region = $5, phone = $6, sealed = null, city_mark = '',
          area_mark = ''
        where user_id = $1`,
      [who.id, BANK.real_name, BANK.bank_no, BANK.bank_name, BANK.region, BANK.phone],
    );
    await databases.query(
      `update auth.account
        set name = $2, name_sealed = '', name_marks = '{}', card_id = $3, card_sealed = ''
        where id = $1`,
      [who.id, SECRETS[0], SECRETS[1]],
    );
    expect(await clear()).not.toEqual([]);
    const [database, store] = [auth.get$(AuthDatabase), auth.get$(People)];
    expect((await store.bankOf(database, who.id))?.bankNo).toBe(BANK.bank_no); // read as it is until then
    expect(await auth.get$(Reseal).clear()).toBe(3);
    expect(await clear()).toEqual([]);
    expect(await store.bankOf(database, who.id)).toMatchObject({ bankNo: BANK.bank_no, region: BANK.region });
    expect((await store.byId(database, who.id))?.name).toBe(SECRETS[0]);
    expect(await auth.get$(Reseal).run()).toBe(0);
  });

  test('after a change of keys and pepper a start reseals all rows and rehashes passwords', async () => {
    const before = await databases.query<{ password_hash: string; fund_hash: string }>(
      'select password_hash, fund_hash from auth.account where id = $1',
      [who.id],
    );
    expect(await ids('sealed', 'bank')).toEqual(['k1']);
    const pepper = { PASSWORD_PEPPER: 'the next pepper of these tests', PASSWORD_PEPPERS_OLD: PEPPER };
    await startAgain({ DATA_KEYS: `${KEY_2},${KEY_1}`, ...pepper });
    await auth.get$(Reseal).run();
    for (const [column, table] of [
      ['sealed', 'bank'],
      ['sealed', 'payment_settings'],
      ['name_sealed', 'account'],
      ['card_sealed', 'account'],
    ] as const)
      expect([column, table, await ids(column, table)]).toEqual([column, table, ['k2']]);
    expect((await people.login(who.account)).type).toBe('ok');
    expect(await auth.asks.ask(authAsks.fund, { userId: who.id, password: FUND })).toEqual({ ok: true });
    const after = await databases.query<{ password_hash: string; fund_hash: string }>(
      'select password_hash, fund_hash from auth.account where id = $1',
      [who.id],
    );
    expect(after[0]?.password_hash).not.toBe(before[0]?.password_hash);
    expect(after[0]?.fund_hash).not.toBe(before[0]?.fund_hash);
    expect((await people.login(who.account, 'Wrong-2468')).key).toBe('auth.wrong');
    expect((await auth.post('/api/admin/login', { username: 'support1', password: PASSWORD })).type).toBe('ok');

    // Without the old key and the old pepper: people who signed in since keep their passwords, and the data opens.
    await startAgain({ DATA_KEYS: KEY_2, PASSWORD_PEPPER: pepper.PASSWORD_PEPPER });
    await auth.get$(Reseal).run();
    expect((await auth.get$(People).bankOf(auth.get$(AuthDatabase), who.id))?.bankNo).toBe(BANK.bank_no);
    expect((await people.login(who.account)).type).toBe('ok');
    expect((await auth.post('/api/admin/login', { username: 'support1', password: PASSWORD })).type).toBe('ok');
    expect(alarms()).not.toContain('auth.reseal');
    // People who have not signed in since need a new password, and get the usual answer.
    expect((await people.login('trader2@demo.bourse')).key).toBe('auth.wrong');
  });

  test('a missing key raises an alarm, and a text that does not open is kept', async () => {
    const was = await raw();
    await startAgain({ DATA_KEYS: KEY_1 });
    expect(await auth.get$(Reseal).run()).toBe(0);
    expect(alarms()).toContain('auth.reseal');
    expect(await raw()).toBe(was);
    await startAgain({ DATA_KEYS: KEY_2 });
  });
});

describe('deletes data whose retention has ended, with a record of the deletion [HARD-316]', () => {
  const runs = async (what: string): Promise<number[]> =>
    (
      await databases.query<{ count: number }>('select count from auth.retention_run where what = $1 order by id', [
        what,
      ])
    ).map(({ count }) => count);
  const count = async (table: string, where: string): Promise<number> =>
    Number((await databases.query<{ count: string }>(`select count(*) from auth.${table} where ${where}`))[0]?.count);

  test('codes, failures, sessions, letters, deleted keys and pictures of papers, each in its own time', async () => {
    // The sweep of the start must end before there is anything to delete: pictures are its last kind.
    await databases.query('delete from auth.retention_run');
    await startAgain({ DATA_KEYS: KEY_2 });
    await eventually(async () => (await runs('kyc_pictures')).length === 1);
    const who = await people.register();
    await databases.query(
      `insert into auth.api_key (key, user_id, label, secret_sealed, permissions, ips, created_at, deleted_at)
        values ('old-key', $1, 'old', 'x', '{read}', '{}', now(), now() - interval '91 days'),
          ('young-key', $1, 'young', 'x', '{read}', '{}', now(), now() - interval '80 days')`,
      [who.id],
    );
    await databases.query(
      `insert into auth.identity (user_id, front_pic, reverse_pic, submitted_at, decided_at)
        values ($1, 'old.png', 'older.png', now(), now() - interval '1827 days')`,
      [who.id],
    );
    await databases.query(
      `insert into auth.failure (bucket, at) select 'flood', now() - interval '3 days' from generate_series(1, 2500)`,
    );
    const asked: (readonly string[])[] = [];
    auth.asks.handle(gatewayAsks.forgetPictures, ({ names }) => {
      asked.push(names);
      return Promise.resolve({ removed: names.length });
    });
    const kept = await count('code', 'true');
    await auth.get$(Retention).run();
    expect(asked).toEqual([['old.png', 'older.png']]);
    expect([await runs('kyc_pictures'), await count('identity', `front_pic = 'old.png'`)]).toEqual([[0, 2], 0]);
    expect([await count('failure', `bucket = 'flood'`), (await runs('failures')).at(-1)]).toEqual([0, 2500]);
    expect(await count('api_key', `key in ('old-key', 'young-key')`)).toBe(1);
    expect(await count('code', 'true')).toEqual(kept);
    expect(kept).toBeGreaterThan(0);
    // Nothing to do is one line a day, not one an hour.
    const lines = (await runs('devices')).length;
    await auth.get$(Retention).run();
    expect((await runs('devices')).length).toBe(lines);
    expect(asked).toHaveLength(1);

    // The clock of sessions is moved on.
    auth.clock.setSessionOffset(auth.clock.sessions() - auth.clock.real() + 3 * 24 * 3_600_000);
    await auth.get$(Retention).run();
    expect([await count('code', 'true'), await count('session', 'true')]).toEqual([0, 0]);
    expect((await runs('codes')).at(-1)).toBe(kept);
    expect(await count('letter', 'true')).toBeGreaterThan(0);
    expect(await people.callerOf(who.token)).toBeNull();
  });
});
