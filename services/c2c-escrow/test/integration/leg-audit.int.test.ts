import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { INTERNAL_CURRENCIES } from '@bourse/events';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { EscrowAudit, LegAudit } from '../../src/audit/persistence/leg-audit.js';
import { MIGRATIONS } from '../../src/migrations.js';
import { LedgerTotals } from '../../src/audit/application/ledger-totals.js';
import type { C2cDatabase } from '../../src/shared/application/database.js';
import type { LedgerTotal } from '../../src/audit/domain/expected-totals.js';

jest.setTimeout(testTimeoutMs(24_000));

const [OWNER, TAKER, ACCEPTOR, USER] = [1, 2, 30, 31];
const CSH = INTERNAL_CURRENCIES.CSH.id;

/** A fake ledger; `meanwhile` runs while it is asked. */
class FakeLedgerTotals extends LedgerTotals {
  readonly nets = new Map<string, LedgerTotal[]>();
  quota = '500';
  meanwhile: () => Promise<unknown> = () => Promise.resolve();
  isAway = false;

  book(cause: string, id: number, ...nets: readonly (readonly [number | null, string, number, string])[]): void {
    this.nets.set(
      `${cause} ${id}`,
      nets.map(([owner, account, currency, amount]) => ({ owner, account, currency, amount })),
    );
  }
  async findTotals(cause: string, ids: readonly string[]): Promise<ReadonlyMap<string, readonly LedgerTotal[]>> {
    if (this.isAway) throw new Error('away');
    await this.meanwhile();
    return new Map(
      ids.flatMap((id) => (this.nets.has(`${cause} ${id}`) ? [[id, this.nets.get(`${cause} ${id}`)!]] : [])),
    );
  }
  async findQuota(): Promise<string> {
    await this.meanwhile();
    return this.quota;
  }
}

let world: TestDatabases;
let database: C2cDatabase;
let ledger: FakeLedgerTotals;
let audit: EscrowAudit;
beforeAll(async () => {
  world = await testDatabases({ shape: { schema: 'escrow', migrations: MIGRATIONS } });
  database = (await world.databases.open({ schema: 'escrow', migrations: MIGRATIONS, poolMax: 6 })) as C2cDatabase;
  await database.execute(
    `insert into ad (id, kind, type, owner_id, owner_account, owner_name, shop_id, level, currency_id, currency_name,
       scale, coin_code, fiat_scale, price, way, total, min_number, max_number, fee_rate, limit_minutes, created_at,
       state, surplus, surplus_fee, finished, returned, open_deals)
     values (1001, 'c2c', 'sell', ${OWNER}, 'legal', 's***', null, '', 3, 'USDT', 8, 'CNY', 2, 6.5, 'bank', 100, 0,
       100, 0.1, 1440, now(), 'shelf', 100, 0.1, 0, 0, 0)`,
  );
});
afterAll(() => world?.end());
beforeEach(async () => {
  for (const table of ['saga', 'appeal', 'deal', 'acceptor_deal', 'acceptor'])
    await database.execute(`delete from ${table}`);
  ledger = new FakeLedgerTotals();
  audit = new EscrowAudit(database, new LegAudit(database, ledger), []);
});

/** A deal of 40 USDT with a fee of 0.04. */
const deal = (id: number, state: string) =>
  database.execute(
    `insert into deal (id, ad_id, kind, type, owner_id, taker_id, owner_name, taker_name, owner_lang, taker_lang,
       seller_account, currency_id, currency_name, scale, coin_code, fiat_scale, price, way, number, money, fee, in_ad,
       state, appeal, created_at, deadline, ended_at, facts)
     values ($1, 1001, 'c2c', 'sell', ${OWNER}, ${TAKER}, 's', 't', 'en', 'en', 'legal', 3, 'USDT', 8, 'CNY', 2, 6.5,
       'bank', 40, 260, 0.04, true, $2, 'none', now(), now(), case when $2 in ('finished', 'cancelled') then now() end,
       '')`,
    [id, state],
  );
/** A deposit or a withdrawal of 100 for 98. */
const acceptorDeal = (id: number, type: 'buy' | 'sell', state: string) =>
  database.execute(
    `insert into acceptor_deal (id, type, user_id, acceptor_id, acceptor_name, acceptor_account, currency_id, scale,
       coins, cash, way, mobile, account, silent_ms, auto_ms, state, stage, created_at, updated_at)
     values ($1, $2, ${USER}, ${ACCEPTOR}, 'Pier One', '', 3, 8, case $2 when 'buy' then 98 else 100 end,
       case $2 when 'buy' then 100 else 98 end, 'bank', '', '', 1, 1, $3, 'objected', now(), now())`,
    [id, type, state],
  );
const acceptor = (granted = '500', granting = false) =>
  database.execute(
    `insert into acceptor (user_id, name, recharge_rate, cash_rate, granted, granting)
     values (${ACCEPTOR}, 'Pier One', 2, 2, $1, $2)`,
    [granted, granting],
  );
const saga = (name: string, object: number) =>
  database.execute('insert into saga (name, object) values ($1, $2)', [name, String(object)]);
/** Findings by the names of the checks. */
const wrong = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await audit.checks()).filter(({ ok }) => !ok).map(({ name, detail }) => [name, detail]));
const released = (id: number, coins = '40', fee = '0.04'): void =>
  ledger.book('deal', id, [OWNER, 'legal', 3, '-40.04'], [TAKER, 'legal', 3, coins], [null, 'h.fees', 3, fee]);

test('correct deals in every state pass with their journals [C2C-033]', async () => {
  for (const [at, state] of ['unpaid', 'paid', 'cancelled', 'finished'].entries()) await deal(at + 1, state);
  released(4);
  expect(await audit.checks()).toMatchObject([
    { name: 'deals.legs', ok: true },
    { name: 'acceptors.legs', ok: true },
    { name: 'acceptors.quotas', ok: true },
  ]);
});

test.each([
  { what: 'nothing was released of', id: 11, state: 'finished', book: () => undefined },
  {
    what: 'a unit went elsewhere in',
    id: 12,
    state: 'finished',
    book: () => released(12, '39.99999999', '0.04000001'),
  },
  {
    what: 'the fee is still the seller’s in',
    id: 13,
    state: 'finished',
    book: () => ledger.book('deal', 13, [OWNER, 'legal', 3, '-40'], [TAKER, 'legal', 3, '40']),
  },
  { what: 'the coins are the buyer’s in', id: 14, state: 'cancelled', book: () => released(14) },
  { what: 'the coins were released before the payment in', id: 15, state: 'unpaid', book: () => released(15) },
  {
    what: 'somebody else was paid in',
    id: 16,
    state: 'finished',
    book: () =>
      ledger.book('deal', 16, [OWNER, 'legal', 3, '-40.04'], [99, 'legal', 3, '40'], [null, 'h.fees', 3, '0.04']),
  },
])('$what a deal that is $state: reported by its id [C2C-033]', async ({ id, state, book }) => {
  await deal(1, 'finished');
  released(1);
  await deal(id, state);
  book();
  const found = await wrong();
  expect(Object.keys(found)).toEqual(['deals.legs']);
  expect(found['deals.legs']).toContain(`deal ${id} has moved`);
  expect(found['deals.legs']).not.toContain('deal 1 ');
});

test('pending answers of the ledger, and changes during the audit, are no differences [C2C-033]', async () => {
  await deal(21, 'finished');
  await saga('deal.release', 21);
  await deal(22, 'cancelled');
  await database.execute(
    `insert into appeal (id, deal_id, opened_by, state, with_escrow, reason, opened_at, due, decision)
     values (1, 22, 'buyer', 'waiting', true, '', now(), now(), '')`,
  );
  ledger.book('deal', 22, [OWNER, 'legal', 3, '-1']);
  expect(await wrong()).toEqual({});
  // Confirmed and booked between the read of the rows and the question to the ledger.
  await deal(23, 'paid');
  released(23);
  ledger.meanwhile = () => database.execute(`update deal set state = 'finished', ended_at = now() where id = 23`);
  expect(await wrong()).toEqual({});
  ledger.meanwhile = () => Promise.resolve();
  ledger.nets.delete('deal 23');
  expect(Object.keys(await wrong())).toEqual(['deals.legs']);
});

test('deals are audited in pieces, and a wrong one is reported until it is repaired [C2C-033]', async () => {
  await database.execute(
    `insert into deal (id, ad_id, kind, type, owner_id, taker_id, owner_name, taker_name, owner_lang, taker_lang,
       seller_account, currency_id, currency_name, scale, coin_code, fiat_scale, price, way, number, money, fee, in_ad,
       state, appeal, created_at, deadline, ended_at, facts)
     select 10000 + n, 1001, 'c2c', 'sell', ${OWNER}, ${TAKER}, 's', 't', 'en', 'en', 'legal', 3, 'USDT', 8, 'CNY', 2,
       6.5, 'bank', 40, 260, 0.04, true, 'cancelled', 'none', now(), now(), now() + n * interval '1 second', ''
     from generate_series(1, 1000) n`,
  );
  // Neither among the latest ended deals nor among the first by id.
  ledger.book('deal', 10_600, [OWNER, 'legal', 3, '-40']);
  expect(await wrong()).toEqual({});
  for (let look = 0; look < 4; look += 1) expect((await wrong())['deals.legs']).toContain('deal 10600 has moved');
  // The newest one is checked in the same run.
  ledger.book('deal', 11_000, [OWNER, 'legal', 3, '-40']);
  expect((await wrong())['deals.legs']).toContain('deal 11000 has moved');
  ledger.nets.clear();
  for (let look = 0; look < 4; look += 1) expect(await wrong()).toEqual({});
});

test('a deal with an acceptor whose coins or cash do not match its state is reported [ACC-031]', async () => {
  await acceptor();
  ledger.quota = '502';
  for (const [id, type, state] of [
    [51, 'buy', 'confirmed'],
    [52, 'sell', 'confirmed'],
    [53, 'buy', 'rejected'],
    [54, 'sell', 'open'],
  ] as const)
    await acceptorDeal(id, type, state);
  const deposit = [
    [USER, 'legal', 3, '98'],
    [ACCEPTOR, 'acceptor', 3, '-98'],
  ] as const;
  const cash = [
    [ACCEPTOR, 'quota', CSH, '100'],
    [null, 'h.quota', CSH, '-100'],
  ] as const;
  const withdrawal = [
    [USER, 'legal', 3, '-100'],
    [ACCEPTOR, 'acceptor', 3, '100'],
    [ACCEPTOR, 'quota', CSH, '-98'],
    [null, 'h.quota', CSH, '98'],
  ] as const;
  ledger.book('acceptor', 51, ...deposit, ...cash);
  ledger.book('acceptor', 52, ...withdrawal);
  expect(await wrong()).toEqual({});
  // A deposit without its cash, and a rejected withdrawal that was paid out.
  ledger.book('acceptor', 51, ...deposit);
  ledger.book('acceptor', 53, ...withdrawal);
  const found = await wrong();
  expect(Object.keys(found)).toEqual(['acceptors.legs']);
  for (const id of [51, 53]) expect(found['acceptors.legs']).toContain(`acceptor ${id} has moved`);
  for (const id of [52, 54]) expect(found['acceptors.legs']).not.toContain(`acceptor ${id} has moved`);
  await saga('acceptor.end.other', 51);
  await saga('acceptor.end', 53);
  expect(await wrong()).toEqual({});
});

test('a quota that differs by a cent from grant and confirmed deals is reported [ACC-032]', async () => {
  await acceptor();
  expect(await wrong()).toEqual({});
  await acceptorDeal(61, 'buy', 'confirmed');
  ledger.book('acceptor', 61, [USER, 'legal', 3, '98'], [ACCEPTOR, 'acceptor', 3, '-98']);
  await acceptorDeal(62, 'sell', 'confirmed');
  await acceptorDeal(63, 'sell', 'rejected');
  await acceptorDeal(64, 'buy', 'open');
  const quota = async (): Promise<string | undefined> => (await wrong())['acceptors.quotas'];
  ledger.quota = '502';
  expect(await quota()).toBeUndefined();
  for (const cents of ['502.01', '500', '402']) {
    ledger.quota = cents;
    expect(await quota()).toBe(`not so: acceptor ${ACCEPTOR} has a quota of ${cents}, 502 is theirs`);
  }
  await saga('acceptor.end', 62);
  expect(await quota()).toBeUndefined();
  await database.execute('delete from saga');
  await database.execute('update acceptor set granting = true');
  expect(await quota()).toBeUndefined();
  // Granted and booked during the check.
  await database.execute('update acceptor set granting = false');
  ledger.meanwhile = () => database.execute('update acceptor set granted = 600');
  ledger.quota = '602';
  expect(await quota()).toBeUndefined();
});

test('an unavailable ledger gives no finding and stops nothing [C2C-033]', async () => {
  ledger.isAway = true;
  expect(await audit.checks()).toMatchObject([{ name: 'deals.legs', ok: false, soft: true }]);
});
