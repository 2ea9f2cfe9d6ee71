import { authAsks, SecondPerson } from '@bourse/messaging';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { SEED_CURRENCIES } from '@bourse/contract';
import { MAKER_ID } from '@bourse/contract';
import { available, LedgerCommandV1, ledgerPartition, TOPICS } from '@bourse/events';
import type { Asks } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import type { Config } from '@bourse/platform';
import { eventually, SimulatedClock, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { PostgresHouseBalanceReads } from '../../../src/ledger/adapters/persistence/house-balance-reads.js';
import { HouseRebalancer } from '../../../src/ledger/application/house/house-rebalancer.js';
import { PostgresAdjustmentStore } from '../../../src/ledger/adapters/persistence/adjustment-store.js';
import { PostgresReportReader } from '../../../src/wallet/reports/persistence/report-reader.js';
import { AdjustmentRuntime } from '../../../src/ledger/application/adjustments/adjustment-runtime.js';
import { Adjustments } from '../../../src/ledger/application/adjustments/adjustments.js';
import { AskedLeverHandOver } from '../../../src/ledger/application/lever-hand-over.js';
import { PostAdjustment } from '../../../src/ledger/application/adjustments/post-adjustment.js';
import { AccountingReports } from '../../../src/wallet/reports/application/accounting-reports.js';
import { PRICE_TEXT_SCALE, type Prices } from '../../../src/wallet/shared/application/prices.js';
import type { Currencies } from '../../../src/ledger/application/currencies.js';
import { Statement } from '../../../src/ledger/application/statement/statement.js';
import { ledgerDatabases, LedgerProcess, USDT } from './writer-harness.js';

jest.setTimeout(testTimeoutMs(24_000));

const PARTITIONS = 3;
const USER = 100_001;
const currencies = {
  all: () => SEED_CURRENCIES,
  byId: (id: number) => SEED_CURRENCIES.find((row) => row.id === id),
  scaleOf: (id: number) => SEED_CURRENCIES.find((row) => row.id === id)?.scale,
  nameOf: (id: number) => SEED_CURRENCIES.find((row) => row.id === id)?.name ?? '',
  ready: () => Promise.resolve(),
} as Currencies;
/** Operators who are switched off or have lost the role. */
let gone: number[] = [];
const asks = {
  ask: (
    { name }: { name: string },
    { userIds, operatorId, others }: { userIds: number[]; operatorId: number; others: number[] },
  ) =>
    Promise.resolve(
      name === authAsks.secondPerson.name
        ? { ok: operatorId !== sock.operatorId, gone: gone.filter((id) => others.includes(id)) }
        : userIds.filter((id) => id < 200_000 && id !== MAKER_ID).map((id) => ({ id })),
    ),
} as unknown as Asks;
/** Capital that comes in on the chain. */
const CAPITAL_IN = {
  userId: null,
  account: 'h.outside',
  toAccount: 'h.capital',
  currencyId: USDT,
  amount: '600',
  reasonCode: 'house',
  note: 'transaction 0x11',
};
const ann = { operatorId: 2, operator: 'finance1', reason: 'ticket 1' };
const ben = { operatorId: 3, operator: 'finance2', reason: 'checked' };
/** An operator whom one of the others has added, as auth answers. */
const sock = { operatorId: 101, operator: 'sock1', reason: 'checked' };

let db: TestDatabases;
let process: LedgerProcess;
let store: PostgresAdjustmentStore;
let adjustments: Adjustments;
let post: PostAdjustment;
let runtime: AdjustmentRuntime;
let books: AccountingReports;
let statement: Statement;
const clock = new SimulatedClock();

beforeAll(async () => {
  db = await ledgerDatabases();
  process = await LedgerProcess.start(db, { partitions: PARTITIONS });
  const config = { ledgerPartitions: PARTITIONS } as Config;
  store = new PostgresAdjustmentStore(process.database);
  post = new PostAdjustment(
    store,
    process.database,
    process.client,
    currencies,
    new HouseRebalancer(new PostgresHouseBalanceReads(process.database, PARTITIONS), process.log, currencies, config),
    clock,
    config,
    new AskedLeverHandOver(asks),
  );
  adjustments = new Adjustments(store, post, process.database, currencies, asks, new SecondPerson(asks), clock);
  runtime = new AdjustmentRuntime(store, post, currencies);
  const prices = {
    fresh: (id: number) => (id === USDT ? 10n ** BigInt(PRICE_TEXT_SCALE) : null),
  } as unknown as Prices;
  books = new AccountingReports(new PostgresReportReader(process.database, PARTITIONS), currencies, prices);
  statement = new Statement(process.reader, currencies);
  await process.seed(USER, '10');
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const commandId = `capital:${partition}`;
    const waiting = process.replies.wait(commandId, 10_000);
    await process.log.send(
      TOPICS.ledgerCommands,
      partition,
      LedgerCommandV1.encode({
        commandId,
        issuer: 'seed',
        userId: USER,
        replyTo: process.replies.instance,
        answer: { type: 'ok' },
        journals: [
          {
            id: commandId,
            causeType: 'seed',
            causeId: commandId,
            legs: [{ from: 'h.outside', to: 'h.capital', currency: USDT, amount: '100' }],
          },
        ],
      }),
    );
    expect((await waiting)?.ok).toBe(true);
  }
});
afterAll(async () => {
  await process.stop();
  await db.end();
});

const create = (amount: string, userId = USER): Promise<number> =>
  adjustments.create(
    {
      userId,
      account: 'change',
      toAccount: null,
      currencyId: USDT,
      amount,
      reasonCode: 'goodwill',
      note: 'lost parcel',
    },
    ann,
  );
const key = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: Error & { key?: string }) => error.key ?? error.message,
  );
const house = async (account: string): Promise<string | undefined> =>
  (await books.house()).find((row) => row.account === account && row.currency === 'USDT')?.balance;
const trail = async (): Promise<string[]> =>
  (
    await db.query<{ payload: string }>(
      `select payload::text from ledger.outbox where topic = 'operator.actions' order by number`,
    )
  ).flatMap(({ payload }) =>
    (JSON.parse(payload) as { body: { id: string; operator: string } }[]).map(
      ({ body }) => `${body.operator} ${body.id}`,
    ),
  );

test('a correction moves nothing until a second person approves, then once [ADJUST-002] [HARD-104]', async () => {
  const id = await create('2.5');
  expect(await process.balance(USER)).toBe('10.00000000');
  for (const nobodyElse of [ann, sock]) expect(await key(adjustments.approve(id, nobodyElse))).toBe('admin.samePerson');
  await adjustments.approve(id, ben);
  expect(await process.balance(USER)).toBe('12.50000000');
  expect(await house('h.capital')).toBe('297.50000000');
  expect(await key(adjustments.approve(id, ben))).toBe('admin.decided');
  expect(await key(adjustments.reject(id, ben))).toBe('admin.decided');
  expect(await process.balance(USER)).toBe('12.50000000');
  expect(await trail()).toEqual([
    `finance1 wallet-ledger:adjustments.create:${id}`,
    `finance2 wallet-ledger:adjustments.approve:${id}`,
  ]);
  const [line] = (await statement.logs({ owner: USER }, { page: 1, size: 1, offset: 0 }, 'en')).rows;
  expect(line).toMatchObject({
    value: '2.50000000',
    cause_type: 'adjustment',
    cause_id: String(id),
    info: 'Correction by the exchange: lost parcel',
  });
});

test('a debit no longer covered by the balance is refused, waits, stops nothing [ADJUST-003]', async () => {
  const id = await create('-20');
  expect(await key(adjustments.approve(id, ben))).toBe('balance.insufficient');
  expect(await store.find(id)).toMatchObject({ state: 'waiting', decidedBy: null });
  await process.seed(USER, '10', USDT, 'legal');
  expect(await key(adjustments.approve(id, ben))).toBe('balance.insufficient');
  const more = await create('15');
  await adjustments.approve(more, ben);
  await adjustments.approve(id, ben);
  expect(await process.balance(USER)).toBe('7.50000000');
  expect(process.alarms.list()).toEqual([]);
});

test('a refused one is over; its author may take it back [ADJUST-004]', async () => {
  const [first, second] = [await create('1'), await create('1')];
  await adjustments.reject(first, ben);
  await adjustments.reject(second, ann);
  expect(await key(adjustments.approve(first, ben))).toBe('admin.decided');
  expect(await process.balance(USER)).toBe('7.50000000');
  const { rows } = await store.list({ state: 'rejected' }, { size: 10, offset: 0 });
  expect(rows.map(({ id, decidedByName }) => [id, decidedByName])).toEqual([
    [second, 'finance1'],
    [first, 'finance2'],
  ]);
});

test('an approval that crashed before the ledger answered is booked once all the same [ADJUST-005]', async () => {
  const id = await create('3');
  // Decided and committed, and then nothing more: killed before the command, and once more after it.
  const die = (): Promise<void> =>
    process.database.transaction(async (tx) => {
      await store.decide(tx, id, 'posting', ben, 0);
      await store.addParts(tx, id, [{ partition: ledgerPartition(USER, PARTITIONS), amount: '3' }]);
    });
  await die();
  expect((await store.list({ state: 'waiting' }, { size: 10, offset: 0 })).rows.map((row) => row.id)).toEqual([id]);
  await process.command({
    commandId: `adjustment:${id}:1`,
    issuer: 'operator',
    userId: USER,
    answer: { type: 'ok' },
    journals: [
      {
        id: `adjustment:${id}`,
        causeType: 'adjustment',
        causeId: String(id),
        legs: [{ from: 'h.capital', to: available(USER, 'change'), currency: USDT, amount: '3' }],
      },
    ],
  });
  expect(await process.balance(USER)).toBe('10.50000000');
  await Promise.all([runtime.round(), runtime.round(), post.settle(id)]);
  expect(await store.find(id)).toMatchObject({ state: 'approved', decidedByName: 'finance2' });
  expect(await process.balance(USER)).toBe('10.50000000');
  expect((await trail()).filter((line) => line.endsWith(`approve:${id}`))).toHaveLength(1);
  const other = await create('1');
  await process.database.transaction(async (tx) => {
    await store.decide(tx, other, 'posting', ben, 0);
    await store.addParts(tx, other, [{ partition: ledgerPartition(USER, PARTITIONS), amount: '1' }]);
  });
  await runtime.round();
  expect(await process.balance(USER)).toBe('11.50000000');
});

test('one of two concurrent approvals books it [ADJUST-006]', async () => {
  const id = await create('1');
  const results = await Promise.all(
    [ben, { ...ben, operatorId: 4, operator: 'admin' }, ben].map((by) => key(adjustments.approve(id, by))),
  );
  expect(results.filter((result) => result === 'ok')).toHaveLength(1);
  expect(results.filter((result) => result === 'admin.decided')).toHaveLength(2);
  expect(await process.balance(USER)).toBe('12.50000000');
});

test('refuses unknown people, and coins that the account may not hold [ADJUST-007]', async () => {
  expect(await key(create('1', 200_001))).toBe('common.notFound');
  expect(
    await key(
      adjustments.create(
        { userId: USER, account: 'legal', toAccount: null, currencyId: 4, amount: '1', reasonCode: 'x', note: 'x' },
        ann,
      ),
    ),
  ).toBe('transfer.notSupported');
  expect(
    await key(
      adjustments.create(
        { userId: USER, account: 'change', toAccount: null, currencyId: 99, amount: '1', reasonCode: 'x', note: 'x' },
        ann,
      ),
    ),
  ).toBe('common.notFound');
  expect(await key(adjustments.approve(9_999, ben))).toBe('common.notFound');
});

test('money of the house is taken from all partitions when a second person agrees [ADJUST-008]', async () => {
  const row = {
    userId: null,
    account: 'h.capital',
    toAccount: 'h.lever',
    currencyId: USDT,
    amount: '250',
    reasonCode: 'house',
    note: 'cover',
  };
  const capital = Number(await house('h.capital'));
  const asked = await adjustments.fund(row, ann);
  expect(asked.state).toBe('waiting');
  expect(await key(adjustments.fund(row, ann))).toBe('admin.samePerson');
  expect(await house('h.lever')).toBeUndefined();
  expect(await adjustments.fund(row, ben)).toEqual({ id: asked.id, state: 'approved' });
  expect(await house('h.lever')).toBe('250.00000000');
  expect(Number(await house('h.capital'))).toBe(capital - 250);
  const more = await adjustments.fund({ ...row, amount: '1000' }, ann);
  expect(await key(adjustments.approve(more.id, ben))).toBe('balance.insufficient');
  expect(await store.find(more.id)).toMatchObject({ state: 'waiting' });
  expect((await process.audit.run()).filter(({ ok }) => !ok)).toEqual([]);
});

test('a partition with less than planned leaves the rest to others; booked parts stay [ADJUST-009]', async () => {
  const row = {
    userId: null,
    account: 'h.lever',
    toAccount: 'h.micro',
    currencyId: USDT,
    amount: '200',
    reasonCode: 'house',
    note: 'cover',
  };
  const { id } = await adjustments.fund(row, ann);
  const parts = await store.balances('h.lever', USDT);
  // A plan that takes more from one partition than it has: that part is refused, the others are booked.
  await process.database.transaction(async (tx) => {
    await store.decide(tx, id, 'posting', ben, 0);
    await store.addParts(tx, id, [
      { partition: parts[0]?.partition ?? 0, amount: '150' },
      { partition: parts[1]?.partition ?? 0, amount: '50' },
    ]);
  });
  await eventually(async () => {
    await runtime.round();
    return (await store.find(id))?.state === 'approved';
  });
  expect(await house('h.micro')).toBe('200.00000000');
  expect(await house('h.lever')).toBe('50.00000000');
  expect((await store.parts(id)).filter(({ state }) => state === 'refused')).toHaveLength(1);
});

test('journals are listed with all legs, by person, cause and time, each exported once [BOOKS-001]', async () => {
  const all = await books.journals({}, { page: 1, size: 100, offset: 0 });
  expect(all.total).toBe(all.data.length);
  for (const { legs } of all.data) expect(legs.reduce((sum, { amount }) => sum + toUnits(amount, 8), 0n)).toBe(0n);
  expect(
    [...all.data].sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0)).map(({ time }) => time),
  ).toEqual(all.data.map(({ time }) => time));
  const corrections = await books.journals({ causeType: 'adjustment' }, { page: 1, size: 2, offset: 0 });
  expect(corrections).toMatchObject({
    total: 6,
    has_more: 1,
    data: [
      {
        cause_type: 'adjustment',
        legs: expect.arrayContaining([
          { owner: 'house', account: 'h.capital', state: 'available', currency: 'USDT', amount: '-1.00000000' },
          { owner: String(USER), account: 'change', state: 'available', currency: 'USDT', amount: '1.00000000' },
        ]),
      },
      {},
    ],
  });
  expect(
    (await books.journals({ causeType: 'adjustment', causeId: '1' }, { page: 1, size: 50, offset: 0 })).total,
  ).toBe(1);
  expect((await books.journals({ owner: USER }, { page: 1, size: 50, offset: 0 })).total).toBe(8);
  expect((await books.journals({ from: Date.now() + 60_000 }, { page: 1, size: 50, offset: 0 })).total).toBe(0);
  expect(
    (await books.journals({ from: Date.now() - 600_000, to: Date.now() + 60_000 }, { page: 1, size: 50, offset: 0 }))
      .total,
  ).toBe(all.total);
  const piece = await books.piece('journals', Date.now() - 600_000, Date.now() + 60_000, null);
  expect(piece.columns).toEqual([
    'time',
    'journal_id',
    'cause_type',
    'cause_id',
    'owner',
    'account',
    'state',
    'currency',
    'amount',
  ]);
  const rows = [...piece.rows];
  for (let { after } = piece; after !== null;) {
    const next = await books.piece('journals', Date.now() - 600_000, Date.now() + 60_000, after);
    rows.push(...next.rows);
    ({ after } = next);
  }
  expect(rows).toHaveLength(all.data.reduce((count, { legs }) => count + legs.length, 0));
  expect(await books.piece('journals', 0, 1_000, null)).toMatchObject({ rows: [], after: null });
  expect(await books.piece('withdrawals', 0, 1_000, null)).toMatchObject({
    columns: expect.arrayContaining(['id', 'time', 'user_id', 'fee', 'received']),
    rows: [],
    after: null,
  });
  expect(await books.piece('deposits', 0, 1_000, null)).toMatchObject({
    columns: expect.arrayContaining(['id', 'time', 'user_id', 'contract', 'tx_id']),
    rows: [],
    after: null,
  });
  expect(await books.work()).toEqual({
    withdrawals: 0,
    deposits_held: 0,
    charge_reqs: 0,
    adjustments: expect.any(Number),
    house_fundings: expect.any(Number),
  });
});

test("the house's own trading account gets funds out of the capital of all partitions [ADJUST-019]", async () => {
  expect(await adjustments.fund(CAPITAL_IN, ann)).toMatchObject({ state: 'waiting' });
  expect(await adjustments.fund(CAPITAL_IN, ben)).toMatchObject({ state: 'approved' });
  const before = Number(await house('h.capital'));
  const id = await adjustments.create(
    {
      userId: MAKER_ID,
      account: 'change',
      toAccount: null,
      currencyId: USDT,
      amount: '500',
      reasonCode: 'maker',
      note: 'quotes',
    },
    ann,
  );
  await adjustments.approve(id, ben);
  expect(await process.balance(MAKER_ID)).toBe('500.00000000');
  expect(Number(await house('h.capital'))).toBe(before - 500);
});

test('assets are liabilities and own money, by coin and in US dollars [ADJUST-030]', async () => {
  const { coins, usd, unpriced } = await books.houseSums();
  const usdt = coins.find(({ currency }) => currency === 'USDT');
  if (!usdt) throw new Error('no sums of USDT');
  const units = (text: string): bigint => toUnits(text, 8);
  expect(units(usdt.assets)).toBe(units(usdt.liabilities) + units(usdt.own));
  expect(units(usdt.people)).toBeGreaterThan(0n);
  expect(usdt).toMatchObject({ difference: '0.00000000', usd: { assets: usdt.assets, own: usdt.own } });
  expect(usd).toEqual({ assets: usdt.assets, liabilities: usdt.liabilities, own: usdt.own });
  expect(unpriced).toEqual(coins.map(({ currency }) => currency).filter((name) => name !== 'USDT'));
});

test('a search finds no movement by a text that none of them has [CONSOLE-330]', async () => {
  expect(await books.find('0x0000')).toEqual([]);
  expect(await books.find('9'.repeat(30))).toEqual([]);
});

test('a correction whose author has lost the role since is refused, and can be rejected [HARD-520]', async () => {
  const id = await create('2.5');
  const balance = await process.balance(USER);
  gone = [ann.operatorId];
  try {
    expect(await key(adjustments.approve(id, ben))).toBe('admin.outdated');
    expect(await process.balance(USER)).toBe(balance);
    await adjustments.reject(id, ben);
  } finally {
    gone = [];
  }
});
