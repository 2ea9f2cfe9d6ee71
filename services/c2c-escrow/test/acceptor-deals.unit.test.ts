import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SEED_CURRENCIES, type AcceptorDeal as ShownDeal, type CurrencyRow } from '@bourse/contract';
import { INTERNAL_CURRENCIES, RESULT_TOPICS, TOPICS } from '@bourse/events';
import { Sagas } from '@bourse/ledger-client';
import {
  FundGate,
  InProcessAsks,
  InProcessLog,
  InProcessReplies,
  type Asks,
  type OwnUploads,
  type Parties,
  type Reference,
} from '@bourse/messaging';
import { translate } from '@bourse/i18n';
import { toUnits } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import { MemoryDatabases, MemoryServer, type MemoryDatabase } from '@bourse/persistence/memory';
import { Alarms, WrittenAmount, type CallContext, type Caller, type Clock, type Config } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { LedgerState, StandInLedger } from '@bourse/testing';
import { AcceptorAdmin } from '../src/application/acceptor-admin.js';
import { AcceptorCatalog } from '../src/application/acceptor-catalog.js';
import { AcceptorCustomers } from '../src/application/acceptor-customers.js';
import { AcceptorDesk } from '../src/application/acceptor-desk.js';
import { SealedAcceptorPeople } from '../src/application/acceptor-facts.js';
import { AcceptorLists } from '../src/application/acceptor-lists.js';
import { ACCEPTOR_OPEN_DEPOSITS } from '../src/application/acceptor-settings.js';
import { AcceptorRecovery } from '../src/application/acceptor-recovery.js';
import { AcceptorSteps } from '../src/application/acceptor-steps.js';
import { AcceptorSubmit } from '../src/application/acceptor-submit.js';
import { AcceptorViews } from '../src/application/acceptor-views.js';
import type { AcceptorPurse } from '../src/application/acceptor-ports.js';
import type { C2cDatabase } from '../src/application/ports.js';
import type { AcceptorDeal } from '../src/domain/acceptor-deal.js';
import {
  ACCEPTOR_DEAL,
  ACCEPTORS,
  DEBT,
  SimulatedAcceptorDeals,
  SimulatedAcceptorDebts,
  SimulatedAcceptors,
} from '../src/simulation/acceptor-stores.js';
import { contextOf, keyOf } from './shop-world.js';

const [ACCEPTOR, USER] = [ACCEPTORS[0], 100_009];
const USDT = 3;
const MINUTE = 60_000;
const MOBILE = '+1 5550100';
const ACCOUNT = '4000 1234 5678';
const FIRST = { page: 1, size: 10, offset: 0 };

const person = { userId: USER, lang: 'en', kind: 'user' } as Caller;
const acceptor = { userId: ACCEPTOR, lang: 'en', kind: 'user', isAcceptor: true } as Caller;
const finance = { userId: 101, accountNumber: 'finance1', lang: 'en', kind: 'operator' } as Caller;
const by = (caller: Caller): CallContext => ({ ...contextOf(), lang: 'en', caller });

/** Notes which deals are locked. */
class WatchedDeals extends SimulatedAcceptorDeals {
  constructor(
    database: MemoryDatabase,
    private readonly steppedOn: string[],
  ) {
    super(database);
  }
  override lock(tx: Tx, id: string): Promise<AcceptorDeal | null> {
    this.steppedOn.push(`deal ${id}`);
    return super.lock(tx, id);
  }
}

/** Deals with acceptors over tables in memory and a stand-in for the ledger, by a clock that the test moves. */
class World {
  readonly server = new MemoryServer();
  readonly ledger = new LedgerState();
  /** Whether the person is able to object. */
  mayAnswer = true;
  /** What was asked of auth, and which deals were locked, in that order. */
  readonly steppedOn: string[] = [];
  private ahead = 0;
  private readonly databases = new MemoryDatabases(this.server);
  private readonly log = new InProcessLog(
    {
      instance: 'one',
      alarms: new Alarms(),
      partitions: {
        ...{ [TOPICS.ledgerCommands]: 1, [TOPICS.operatorActions]: 1, [TOPICS.userNotices]: 1 },
        ...Object.fromEntries(RESULT_TOPICS.map((topic) => [topic, 1])),
      },
    },
    this.databases,
  );
  private readonly replies = new InProcessReplies('one');
  private readonly standIn = new StandInLedger(
    this.ledger,
    this.log,
    this.replies,
    new InProcessAsks(),
    this.databases,
  );
  private readonly sagas: Sagas;
  private readonly submitting: AcceptorSubmit;
  readonly settings = new FixedSettings();
  /** What an acceptor has, as the ledger is believed to say. */
  purse: AcceptorPurse = { posted: 10n ** 17n, reserved: 0n, cash: 10n ** 9n, legal: 0n };
  readonly timers: Timers;
  readonly customers: AcceptorCustomers;
  readonly desk: AcceptorDesk;
  readonly steps: AcceptorSteps;
  readonly lists: AcceptorLists;
  readonly debts: SimulatedAcceptorDebts;
  readonly recovery: AcceptorRecovery;

  constructor() {
    const database = this.databases.at('escrow');
    const now = (): number => Date.now() + this.ahead;
    const clock = { now, real: () => Date.now() } as unknown as Clock;
    this.sagas = new Sagas({
      ...{ service: 'c2c-escrow', database, log: this.log, replies: this.replies, alarms: new Alarms() },
      ...{ clock: { real: () => Date.now(), offset: () => this.ahead }, partitions: 1 },
    });
    const config = {
      ...{ internalSecret: 'internal-secret-of-32-characters!', internalSecretsOld: [], ledgerPartitions: 1 },
      dataKeys: [{ id: 'k1', secret: 'k1-secret-of-thirty-two-characters' }],
    } as unknown as Config;
    const reference = { all: () => SEED_CURRENCIES as readonly CurrencyRow[] } as unknown as Reference;
    const parties = {
      acceptorsAmong: (ids: readonly number[]) => Promise.resolve(new Set(ids)),
      facts: () => {
        this.steppedOn.push('auth');
        return Promise.resolve(new Map([[USER, { mayAnswer: this.mayAnswer }]]));
      },
    } as unknown as Parties;
    const own = database as unknown as C2cDatabase;
    const [deals, store] = [new WatchedDeals(database, this.steppedOn), new SimulatedAcceptors(database)];
    const [people, catalog, balances] = [
      new SealedAcceptorPeople(config),
      new AcceptorCatalog(reference),
      { of: () => Promise.resolve(this.purse) },
    ];
    const fund = new FundGate(() => Promise.resolve({ ok: true }));
    const uploads = { own: () => Promise.resolve('picture.jpg') } as unknown as OwnUploads;
    let number = 0;
    const ids = { next: () => String((number += 1)) };
    this.timers = new Timers(database, clock);
    const views = new AcceptorViews(people, clock, config, this.settings);
    this.debts = new SimulatedAcceptorDebts(database);
    this.submitting = new AcceptorSubmit(
      ...([this.sagas, deals, store, balances, catalog, fund, parties, people, this.settings] as const),
      ...([this.timers, views, clock, ids, this.debts] as const),
    );
    this.steps = new AcceptorSteps(this.sagas, own, deals, this.timers, views, parties, clock, config);
    this.customers = new AcceptorCustomers(this.steps, deals, uploads, this.settings);
    this.desk = new AcceptorDesk(this.sagas, this.steps, store, own, fund, uploads, catalog, ids, this.debts);
    this.recovery = new AcceptorRecovery(
      ...([this.sagas, own, deals, this.debts, balances, views, clock, config, ids] as const),
    );
    this.lists = new AcceptorLists(store, deals, balances, catalog, views, parties, this.debts);
    this.ledger.add(`${USER}.legal`, USDT, toUnits('1000', 8));
    this.ledger.add(`${ACCEPTOR}.acceptor`, USDT, toUnits('1000', 8));
    this.ledger.add('h.quota', INTERNAL_CURRENCIES.CSH.id, toUnits('1000', 8));
    this.ledger.add(`${ACCEPTOR}.quota`, INTERNAL_CURRENCIES.CSH.id, toUnits('1000', 8));
  }

  /** What finance does about acceptors; its asks go to `asks`. */
  admin(asks: Asks): AcceptorAdmin {
    const own = this.databases.at('escrow') as unknown as C2cDatabase;
    const store = Object.assign(new SimulatedAcceptors(this.databases.at('escrow')), {
      save: () => Promise.resolve(),
    });
    const parties = { acceptorsAmong: (ids: readonly number[]) => Promise.resolve(new Set(ids)) } as unknown as Parties;
    return new AcceptorAdmin(store, this.steps, own, parties, asks, { now: () => Date.now() } as Clock, this.recovery);
  }

  async start(): Promise<void> {
    await this.standIn.start();
    this.sagas.start();
  }
  async stop(): Promise<void> {
    await this.timers.stop();
    await this.sagas.beforeApplicationShutdown();
    await this.log.close();
  }

  async submit(
    type: 'buy' | 'sell',
    context = by(person),
    fields: { readonly money?: string; readonly receiveMoney?: string } = {},
  ): Promise<ShownDeal> {
    const money = new WrittenAmount(fields.money ?? '100', 'money', {});
    const receiveMoney = new WrittenAmount(fields.receiveMoney, 'receive_money', {});
    const asked = {
      receiveMoney,
      mobile: MOBILE,
      dealAccount: ACCOUNT,
      money,
      way: 'bank',
      type,
      acceptorId: 1,
    } as const;
    return shown(await this.submitting.submit(USER, { ...asked, password: 'fund66' }, context));
  }
  async pass(minutes: number): Promise<void> {
    this.ahead += minutes * MINUTE;
    await this.timers.runDue();
  }
  get deals(): readonly AcceptorDeal[] {
    return this.server.rows<AcceptorDeal>(ACCEPTOR_DEAL);
  }
  /** All that is stored of calls and deals, as text. */
  get stored(): string {
    return JSON.stringify(
      [this.server.rows('escrow.answers'), this.deals, this.server.rows('escrow.outbox')],
      (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );
  }
}
const shown = ({ extra }: { readonly extra: Readonly<Record<string, unknown>> }): ShownDeal =>
  extra['deal'] as ShownDeal;
const details = ({ mobile, deal_account, hes_account }: ShownDeal): string[] => [mobile, deal_account, hes_account];

let world: World;
beforeEach(async () => {
  world = new World();
  await world.start();
});
afterEach(() => world.stop());

test('phone and accounts lie sealed and in no stored answer; the caller gets them, again too [ACC-028]', async () => {
  const context = by(person);
  const first = await world.submit('sell', context);
  expect(details(first)).toEqual([MOBILE, ACCOUNT, 'b']);
  expect(await world.submit('sell', context)).toEqual(first);
  const { id } = first;
  const marked = shown(await world.desk.transferred(acceptor, { id, proofPic: 'x', password: 'x' }, by(acceptor)));
  expect(details(marked)).toEqual([MOBILE, ACCOUNT, ACCOUNT]);
  expect(marked.proof_pic).toContain('/api/upload/');
  expect(world.stored).toContain('acceptor.submitted');
  for (const text of [MOBILE, ACCOUNT, '/api/upload/']) expect(world.stored).not.toContain(text);
  expect(details(await world.submit('sell', { ...context, caller: null }))).toEqual(['', '', '']);
});

test('the other side is told whole while a deal is open, finance while it decides; then masked [ACC-029]', async () => {
  const { id } = await world.submit('buy');
  const seen = async () => {
    const [deal] = world.deals;
    const open = { rows: [deal!], total: 1 };
    const lists = Object.create(world.lists, {
      deals: { value: { list: () => Promise.resolve(open) } },
    }) as AcceptorLists;
    const of = async (page: Promise<{ data: readonly ShownDeal[] }>) => details((await page).data[0]!);
    return [
      await of(lists.mine(person, {}, FIRST)),
      await of(lists.orders(acceptor, {}, FIRST)),
      await of(lists.all(finance, {}, FIRST)),
    ];
  };
  const hidden = ['****0100', '****5678', '****'];
  expect(await seen()).toEqual([[MOBILE, ACCOUNT, 'b'], [MOBILE, ACCOUNT, ACCOUNT], hidden]);
  await world.pass(5);
  await world.customers.object(USER, { id, reason: 'I have paid', pic: 'x' }, by(person));
  expect(await seen()).toEqual([
    [MOBILE, ACCOUNT, 'b'],
    [MOBILE, ACCOUNT, ACCOUNT],
    [MOBILE, ACCOUNT, 'b'],
  ]);
  await world.steps.end('admin.acceptorDecided', by(finance), () =>
    Promise.resolve({ id, actor: 'finance', action: 'decideConfirm' }),
  );
  expect(await seen()).toEqual([[MOBILE, ACCOUNT, '****'], ['****0100', '****5678', '****5678'], hidden]);
});

test('silence is consent of who could object alone: else finance decides, on record [ACC-027]', async () => {
  const states = () => world.deals.map(({ state, stage }) => `${state} ${stage}`);
  const transferred = async (): Promise<string> => {
    const { id } = await world.submit('sell');
    await world.desk.transferred(acceptor, { id, proofPic: 'x', password: 'x' }, by(acceptor));
    return id;
  };
  await transferred();
  await world.pass(21);
  expect(states()).toEqual(['confirmed transferred']);
  expect(world.stored).not.toContain('acceptor_deals.frozen');
  world.mayAnswer = false;
  const id = await transferred();
  await world.pass(21);
  expect(states()).toEqual(['confirmed transferred', 'open objected']);
  expect(world.stored).toContain('acceptor_deals.frozen');
  expect(await keyOf(world.customers.confirm(USER, { id }, by(person)))).toBe('acceptor.state');
});

test('who lost the role takes back what they have posted, and posts nothing; others cannot [ACC-023]', async () => {
  const move = (direction: 'in' | 'out', userId: number, isAcceptor = false): Promise<unknown> => {
    const fields = { direction, number: new WrittenAmount('40', 'number', {}), password: 'x' };
    return keyOf(world.desk.fundCoins({ ...acceptor, userId, isAcceptor }, fields, by(acceptor)));
  };
  const posted = (): bigint | undefined => world.ledger.purses.get(`${ACCEPTOR}.acceptor ${USDT}`);
  expect([await move('in', ACCEPTOR), await move('out', USER), await move('out', USER, true)]).toEqual(
    Array(3).fill('common.noPermission'),
  );
  expect([await move('out', ACCEPTOR), posted()]).toEqual(['acceptor.funded', toUnits('960', 8)]);
});

test('who lost the role reads what is theirs: terms, quotas, deals; others nothing of it [ACC-026]', async () => {
  const before = { ...acceptor, isAcceptor: false };
  expect(await world.lists.account(before)).toMatchObject({ user_id: ACCEPTOR });
  const { id } = await world.submit('buy');
  expect((await world.lists.orders(before, {}, FIRST)).data).toMatchObject([{ id }]);
  for (const caller of [person, { ...person, isAcceptor: true }]) {
    expect(await keyOf(world.lists.account(caller))).toBe('common.noPermission');
    expect(await keyOf(world.lists.orders(caller, {}, FIRST))).toBe('common.noPermission');
  }
});

test('a person has so many deposits open, however many are asked for at once; withdrawals not [ACC-034]', async () => {
  const max = ACCEPTOR_OPEN_DEPOSITS.initial;
  await world.submit('sell');
  const asked = await Promise.allSettled(Array.from({ length: max + 3 }, () => world.submit('buy')));
  const refused = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  expect(refused).toHaveLength(3);
  for (const each of refused) expect(each).toMatchObject({ key: 'c2c.openDeal', params: { max } });
  expect(translate('en', 'c2c.openDeal', { max })).toContain(String(max));
  await world.submit('sell');
  // One that finance has to decide is open, one that was cancelled is not.
  const [first, second] = world.deals.filter(({ type }) => type === 'buy');
  await world.pass(5);
  await world.customers.object(USER, { id: first!.id, reason: 'I have paid', pic: 'x' }, by(person));
  expect(await keyOf(world.submit('buy'))).toBe('c2c.openDeal');
  await world.customers.cancel(USER, { id: second!.id }, by(person));
  await world.submit('buy');
  expect(await keyOf(world.submit('buy'))).toBe('c2c.openDeal');
});

test('of deals whose time has come auth is asked once, before any of them is locked [ACC-035]', async () => {
  const ids: string[] = [];
  for (let number = 0; number < 3; number += 1) {
    const { id } = await world.submit('sell');
    await world.desk.transferred(acceptor, { id, proofPic: 'x', password: 'x' }, by(acceptor));
    ids.push(id);
  }
  await world.submit('sell');
  world.steppedOn.length = 0;
  await world.pass(31);
  expect(world.steppedOn[0]).toBe('auth');
  expect(world.steppedOn.filter((each) => each === 'auth')).toHaveLength(1);
  expect(world.steppedOn).toEqual(expect.arrayContaining(ids.map((id) => `deal ${id}`)));
  expect(world.deals.map(({ state }) => state).sort()).toEqual(['confirmed', 'confirmed', 'confirmed', 'rejected']);
});

test('a grant that is saved again under its key asks for a second operator once [ACC-025]', async () => {
  const asked: object[] = [];
  const asks = { ask: (_ask: object, request: object) => Promise.resolve({ id: asked.push(request) }) } as Asks;
  const stored = world.admin(asks);
  const rate = (field: string): WrittenAmount => new WrittenAmount('1', field, {});
  const fields = {
    ...{ userId: ACCEPTOR, name: 'Pier One', rechargeRate: rate('recharge_rate'), cashRate: rate('cash_rate') },
    ...{ cashQuota: new WrittenAmount('500', 'cash_quota', {}), reason: 'a test' },
  };
  const context = by(finance);
  const first = await stored.save(finance, fields, context);
  expect(first).toMatchObject({ key: 'admin.approvalWaiting', extra: { approval_id: 1 } });
  expect(await stored.save(finance, fields, context)).toEqual(first);
  expect(asked).toHaveLength(1);
  expect(await stored.save(finance, fields, by(finance))).toMatchObject({ extra: { approval_id: 2 } });
});

test('a deposit is objected to with a picture, and not before the acceptor could answer [HARD-436]', async () => {
  const { id } = await world.submit('buy');
  const object = (pic?: string): Promise<unknown> =>
    world.customers.object(USER, { id, reason: 'I have paid', pic }, by(person)).catch((error: unknown) => error);
  expect(await object()).toMatchObject({ key: 'upload.required' });
  const early = (await object('x')) as { key: string; params: { until: string } };
  expect(early.key).toBe('acceptor.wait');
  expect(Date.parse(`${early.params.until.replace(' ', 'T')}Z`) - world.deals[0]!.createdAt).toBeGreaterThan(
    5 * MINUTE - 1_000,
  );
  expect(await keyOf(world.customers.object(7, { id, reason: 'mine?' }, by(person)))).toBe('common.notFound');
  await world.pass(5);
  expect(await object()).toMatchObject({ key: 'upload.required' });
  expect(await object('x')).toMatchObject({ key: 'acceptor.objected' });
  // A withdrawal needs neither.
  const { id: withdrawal } = await world.submit('sell');
  await world.desk.transferred(acceptor, { id: withdrawal, proofPic: 'x', password: 'x' }, by(acceptor));
  expect(await keyOf(world.customers.object(USER, { id: withdrawal, reason: 'nothing' }, by(person)))).toBe(
    'acceptor.objected',
  );
});

test('open deposits of one person keep a share of an acceptor, also those asked for at once [HARD-437]', async () => {
  world.purse = { ...world.purse, posted: toUnits('1000', 8) };
  const refused = await world.submit('buy', by(person), { money: '255.11' }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ key: 'acceptor.quota', params: { max: '255.10' } });
  const asked = await Promise.allSettled(Array.from({ length: 4 }, () => world.submit('buy')));
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await world.submit('buy').catch((error: unknown) => error)).toMatchObject({
    ...{ key: 'acceptor.quota', params: { max: '55.10' } },
  });
  await world.submit('buy', by(person), { money: '55.10' });
});

test('whose objections were decided against them three times makes no deposits for 30 days [HARD-438]', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { id } = await world.submit('buy');
    await world.pass(5);
    await world.customers.object(USER, { id, reason: 'I have paid', pic: 'x' }, by(person));
    await world.steps.end('admin.acceptorDecided', by(finance), () =>
      Promise.resolve({ id, actor: 'finance', action: 'decideReject' }),
    );
  }
  expect(await world.submit('buy').catch((error: unknown) => error)).toMatchObject({
    ...{ key: 'acceptor.blocked', params: { until: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) } },
  });
  await world.submit('sell');
  await world.pass(30 * 24 * 60);
  await world.submit('buy');
});

test('a deal at other rates than the person was shown is refused with what they give now [HARD-439]', async () => {
  const submit = (type: 'buy' | 'sell', receiveMoney: string): Promise<unknown> =>
    keyOf(world.submit(type, by(person), { receiveMoney }));
  expect(
    await world.submit('buy', by(person), { receiveMoney: '98.1' }).catch((error: unknown) => error),
  ).toMatchObject({
    ...{ key: 'acceptor.rateChanged', params: { receive_money: '98.00000000' } },
  });
  expect(await world.submit('sell', by(person), { receiveMoney: '98' }).catch((error: unknown) => error)).toMatchObject(
    {
      ...{ key: 'acceptor.rateChanged', params: { receive_money: '97.00' } },
    },
  );
  expect(world.deals).toEqual([]);
  for (const [type, given] of [
    ['buy', '98'],
    ['buy', '98.00000000'],
    ['sell', '97.00'],
    ['sell', '97.0000'],
  ] as const)
    expect(await submit(type, given)).toMatchObject({ type });
});

const usdt = (text: string): bigint => toUnits(text, 8);
const purse = (account: string, currency = USDT): bigint => world.ledger.purses.get(`${account} ${currency}`) ?? 0n;
/** A withdrawal of 100 that was confirmed by time, with so much left in the acceptor's purse. */
async function confirmedByTime(left = '1100'): Promise<string> {
  const { id } = await world.submit('sell');
  await world.desk.transferred(acceptor, { id, proofPic: 'x', password: 'x' }, by(acceptor));
  await world.pass(21);
  world.ledger.add(`${ACCEPTOR}.acceptor`, USDT, usdt(left) - purse(`${ACCEPTOR}.acceptor`));
  world.purse = { ...world.purse, posted: usdt(left) };
  return id;
}
const dispute = (id: string): Promise<unknown> =>
  keyOf(world.customers.object(USER, { id, reason: 'nothing came' }, by(person)));
const judge = (id: string, outcome: 'confirm' | 'reject', context = by(finance)): Promise<unknown> =>
  keyOf(world.recovery.decide(finance, { id, outcome, reason: 'seen' }, context));

test('a withdrawal that time has confirmed is objected to for 24 h, no other [HARD-448]', async () => {
  const id = await confirmedByTime();
  expect(await dispute(id)).toBe('acceptor.objected');
  expect(world.deals[0]).toMatchObject({ state: 'confirmed', stage: 'objected', dispute: 'open' });
  expect(await dispute(id)).toBe('acceptor.state');
  const late = await confirmedByTime();
  await world.pass(24 * 60);
  expect(await dispute(late)).toBe('acceptor.state');
  const { id: received } = await world.submit('sell');
  await world.desk.transferred(acceptor, { id: received, proofPic: 'x', password: 'x' }, by(acceptor));
  await world.customers.confirm(USER, { id: received }, by(person));
  expect(await dispute(received)).toBe('acceptor.state');
});

test('decided for the person the coins come back out of what the acceptor has, its cash too [HARD-448]', async () => {
  const [legal, cash] = [purse(`${USER}.legal`), purse(`${ACCEPTOR}.quota`, INTERNAL_CURRENCIES.CSH.id)];
  const id = await confirmedByTime();
  await dispute(id);
  const context = by(finance);
  expect(await judge(id, 'reject', context)).toBe('admin.acceptorDecided');
  expect(await judge(id, 'reject', context)).toBe('admin.acceptorDecided');
  expect(world.deals[0]).toMatchObject({ state: 'rejected', dispute: 'returned', missing: 0n });
  expect(purse(`${USER}.legal`)).toBe(legal);
  expect(purse(`${ACCEPTOR}.acceptor`)).toBe(usdt('1000'));
  expect(purse(`${ACCEPTOR}.quota`, INTERNAL_CURRENCIES.CSH.id)).toBe(cash);
  expect(world.server.rows(DEBT)).toEqual([]);
  expect(await judge(id, 'confirm')).toBe('acceptor.state');
});

test('decided for the acceptor everything stays as it is [HARD-448]', async () => {
  const id = await confirmedByTime();
  const before = purse(`${ACCEPTOR}.acceptor`);
  await dispute(id);
  expect(await judge(id, 'confirm')).toBe('admin.acceptorDecided');
  expect([purse(`${ACCEPTOR}.acceptor`), world.deals[0]!.dispute]).toEqual([before, 'kept']);
  expect(await dispute(id)).toBe('acceptor.state');
});

test('what is missing the house pays and the acceptor owes; it is closed until that is paid [HARD-449]', async () => {
  world.ledger.add('h.capital', USDT, usdt('1000'));
  const [legal, id] = [purse(`${USER}.legal`), await confirmedByTime('30')];
  await dispute(id);
  expect(await judge(id, 'reject')).toBe('admin.acceptorDecided');
  expect([purse(`${USER}.legal`), purse(`${ACCEPTOR}.acceptor`)]).toEqual([legal, 0n]);
  expect(purse('h.capital')).toBe(usdt('930'));
  expect(await world.debts.owed([ACCEPTOR])).toEqual(new Map([[ACCEPTOR, usdt('70')]]));
  expect(await keyOf(world.submit('sell'))).toBe('common.notFound');
  expect(await keyOf(world.submit('buy'))).toBe('common.notFound');
  const fund = (direction: 'in' | 'out', number: string): Promise<unknown> => {
    const fields = { direction, number: new WrittenAmount(number, 'number', {}), password: 'x' };
    return keyOf(world.desk.fundCoins(acceptor, fields, by(acceptor)));
  };
  world.ledger.add(`${ACCEPTOR}.legal`, USDT, usdt('200'));
  expect(await fund('in', '20')).toBe('acceptor.funded');
  expect([purse(`${ACCEPTOR}.acceptor`), purse('h.capital')]).toEqual([0n, usdt('950')]);
  expect(await fund('out', '1')).toBe('balance.credit');
  expect(await fund('in', '80')).toBe('acceptor.funded');
  expect([purse(`${ACCEPTOR}.acceptor`), purse('h.capital')]).toEqual([usdt('30'), usdt('1000')]);
  expect((await world.debts.owed([ACCEPTOR])).size).toBe(0);
  await world.submit('sell');
});

test('coins that are gone meanwhile leave the decision open, and the next takes what is there [HARD-449]', async () => {
  world.ledger.add('h.capital', USDT, usdt('1000'));
  const id = await confirmedByTime('30');
  world.purse = { ...world.purse, posted: usdt('90') };
  await dispute(id);
  const legal = purse(`${USER}.legal`);
  expect(await judge(id, 'reject')).toBe('common.unavailable');
  expect(world.deals[0]).toMatchObject({ state: 'confirmed', dispute: 'open', missing: 0n });
  world.purse = { ...world.purse, posted: usdt('30') };
  expect(await judge(id, 'reject')).toBe('admin.acceptorDecided');
  expect(purse(`${USER}.legal`) - legal).toBe(usdt('100'));
});
