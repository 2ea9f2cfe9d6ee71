import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SEED_CURRENCIES, type AcceptorDeal as ShownDeal, type CurrencyRow } from '@bourse/contract';
import { INTERNAL_CURRENCIES, RESULT_TOPICS, TOPICS, type UserNotice } from '@bourse/events';
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
import { Timers, type OutboxRow, type Tx } from '@bourse/persistence';
import { MemoryDatabases, MemoryServer, type MemoryDatabase } from '@bourse/persistence/memory';
import { Alarms, WrittenAmount, type CallContext, type Caller, type Clock, type Config } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { LedgerState, FakeLedger } from '@bourse/testing';
import { AcceptorAdmin } from '../src/acceptors/application/admin.js';
import { AcceptorCatalog } from '../src/acceptors/application/catalog.js';
import { CustomerCommands } from '../src/acceptors/application/customer-commands.js';
import { AcceptorCommands } from '../src/acceptors/application/acceptor-commands.js';
import { SealedAcceptorContacts } from '../src/acceptors/application/contacts.js';
import { AcceptorLists } from '../src/acceptors/application/lists.js';
import { ACCEPTOR_OPEN_DEPOSITS } from '../src/acceptors/application/settings.js';
import { AcceptorRecovery } from '../src/acceptors/application/recovery.js';
import { AcceptorSteps } from '../src/acceptors/application/steps.js';
import { AcceptorDealOpening } from '../src/acceptors/application/deal-opening.js';
import { AcceptorViews } from '../src/acceptors/application/views.js';
import type { AcceptorBalance } from '../src/acceptors/application/ports.js';
import type { C2cDatabase } from '../src/shared/application/database.js';
import type { AcceptorDeal } from '../src/acceptors/domain/acceptor-deal.js';
import {
  ACCEPTOR_DEAL,
  ACCEPTORS,
  DEBT,
  SimulatedAcceptorDeals,
  SimulatedAcceptorDebts,
  SimulatedAcceptors,
} from '../src/simulation/acceptor-stores.js';
import { createContext, toKey } from './shop-world.js';

const [ACCEPTOR, USER] = [ACCEPTORS[0], 100_009];
const USDT = 3;
const MINUTE = 60_000;
const MOBILE = '+1 5550100';
const ACCOUNT = '4000 1234 5678';
const FIRST = { page: 1, size: 10, offset: 0 };

const person = { userId: USER, lang: 'en', kind: 'user' } as Caller;
const acceptor = { userId: ACCEPTOR, lang: 'en', kind: 'user', isAcceptor: true } as Caller;
const finance = { userId: 101, accountNumber: 'finance1', lang: 'en', kind: 'operator' } as Caller;
const by = (caller: Caller): CallContext => ({ ...createContext(), lang: 'en', caller });

/** Records the locked deals. */
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

/** Deals with acceptors over tables in memory and a fake ledger, with a clock that the test moves. */
class World {
  readonly server = new MemoryServer();
  readonly ledger = new LedgerState();
  /** Whether the person is able to object. */
  mayAnswer = true;
  /** Questions to auth and locked deals, in their order. */
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
  private readonly fakeLedger = new FakeLedger(
    this.ledger,
    this.log,
    this.replies,
    new InProcessAsks(),
    this.databases,
  );
  private readonly sagas: Sagas;
  private readonly submitting: AcceptorDealOpening;
  readonly settings = new FixedSettings();
  /** The acceptor's balance in the fake ledger. */
  acceptorBalance: AcceptorBalance = { posted: 10n ** 17n, reserved: 0n, cash: 10n ** 9n, legal: 0n };
  readonly timers: Timers;
  readonly customers: CustomerCommands;
  readonly desk: AcceptorCommands;
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
    const { commands } = this.sagas;
    const [deals, store] = [new WatchedDeals(database, this.steppedOn), new SimulatedAcceptors(database)];
    const [people, catalog, balances] = [
      new SealedAcceptorContacts(config),
      new AcceptorCatalog(reference),
      { findBalance: () => Promise.resolve(this.acceptorBalance) },
    ];
    const fund = new FundGate(() => Promise.resolve({ ok: true }));
    const uploads = { own: () => Promise.resolve('picture.jpg') } as unknown as OwnUploads;
    let number = 0;
    const ids = { next: () => String((number += 1)) };
    this.timers = new Timers(database, clock);
    const views = new AcceptorViews(people, clock, config, this.settings);
    this.debts = new SimulatedAcceptorDebts(database);
    this.submitting = new AcceptorDealOpening(
      ...([this.sagas, commands, deals, store, balances, catalog, fund, parties, people, this.settings] as const),
      ...([this.timers, views, clock, ids, this.debts] as const),
    );
    this.steps = new AcceptorSteps(this.sagas, commands, deals, this.timers, views, parties, clock, config);
    this.customers = new CustomerCommands(this.steps, deals, uploads, this.settings);
    this.desk = new AcceptorCommands(this.sagas, this.steps, store, commands, fund, uploads, catalog, ids, this.debts);
    this.recovery = new AcceptorRecovery(
      ...([this.sagas, commands, deals, this.debts, balances, views, clock, config, ids] as const),
    );
    this.lists = new AcceptorLists(store, deals, balances, catalog, views, parties, this.debts);
    this.ledger.add(`${USER}.legal`, USDT, toUnits('1000', 8));
    this.ledger.add(`${ACCEPTOR}.acceptor`, USDT, toUnits('1000', 8));
    this.ledger.add('h.quota', INTERNAL_CURRENCIES.CSH.id, toUnits('1000', 8));
    this.ledger.add(`${ACCEPTOR}.quota`, INTERNAL_CURRENCIES.CSH.id, toUnits('1000', 8));
  }

  /** Commands of finance on acceptors; its asks go to `asks`. */
  admin(asks: Asks): AcceptorAdmin {
    const own = this.databases.at('escrow') as unknown as C2cDatabase;
    const store = Object.assign(new SimulatedAcceptors(this.databases.at('escrow')), {
      save: () => Promise.resolve(),
    });
    const parties = { acceptorsAmong: (ids: readonly number[]) => Promise.resolve(new Set(ids)) } as unknown as Parties;
    return new AcceptorAdmin(store, this.steps, own, parties, asks, { now: () => Date.now() } as Clock, this.recovery);
  }

  async start(): Promise<void> {
    await this.fakeLedger.start();
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
  /** The emitted personal notices, oldest first. */
  get notices(): readonly UserNotice[] {
    return this.server
      .rows<OutboxRow>('escrow.outbox')
      .filter(({ topic }) => topic === TOPICS.userNotices)
      .flatMap(({ payload }) => JSON.parse(payload) as { readonly body: { readonly notices: readonly UserNotice[] } }[])
      .flatMap(({ body }) => body.notices);
  }
  /** All stored calls and deals, as text. */
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

test('phone and accounts are sealed and in no stored answer; the caller gets them each time [ACC-028]', async () => {
  const context = by(person);
  const first = await world.submit('sell', context);
  expect(details(first)).toEqual([MOBILE, ACCOUNT, 'b']);
  expect(await world.submit('sell', context)).toEqual(first);
  const { id } = first;
  const marked = shown(await world.desk.markTransferred(acceptor, { id, proofPic: 'x', password: 'x' }, by(acceptor)));
  expect(details(marked)).toEqual([MOBILE, ACCOUNT, ACCOUNT]);
  expect(marked.proof_pic).toContain('/api/upload/');
  expect(world.stored).toContain('acceptor.submitted');
  for (const text of [MOBILE, ACCOUNT, '/api/upload/']) expect(world.stored).not.toContain(text);
  expect(details(await world.submit('sell', { ...context, caller: null }))).toEqual(['', '', '']);
});

/** The lists with all deals of the world, as the database would find them. */
function listsOfWorld(): AcceptorLists {
  const found = { rows: world.deals, total: world.deals.length };
  return Object.create(world.lists, { deals: { value: { list: () => Promise.resolve(found) } } }) as AcceptorLists;
}

test('the other side sees whole contacts while a deal is open, finance while it decides [ACC-029]', async () => {
  const { id } = await world.submit('buy');
  const seen = async () => {
    const lists = listsOfWorld();
    const of = async (page: Promise<{ data: readonly ShownDeal[] }>) => details((await page).data[0]!);
    return [
      await of(lists.listOwnDeals(person, {}, FIRST, 'en')),
      await of(lists.listOrders(acceptor, {}, FIRST, 'en')),
      await of(lists.listForOperators({}, FIRST, 'en')),
    ];
  };
  const hidden = ['****0100', '****5678', '****'];
  expect(await seen()).toEqual([[MOBILE, ACCOUNT, 'b'], [MOBILE, ACCOUNT, ACCOUNT], hidden]);
  await world.pass(5);
  await world.customers.objectTo(USER, { id, reason: 'I have paid', pic: 'x' }, by(person));
  expect(await seen()).toEqual([
    [MOBILE, ACCOUNT, 'b'],
    [MOBILE, ACCOUNT, ACCOUNT],
    [MOBILE, ACCOUNT, 'b'],
  ]);
  await world.steps.take('admin.acceptorDecided', by(finance), () =>
    Promise.resolve({ id, actor: 'finance', action: 'decideConfirm' }),
  );
  expect(await seen()).toEqual([[MOBILE, ACCOUNT, '****'], ['****0100', '****5678', '****5678'], hidden]);
});

test('lists are in the language of the call, whatever language the reader has stored [ACC-037]', async () => {
  await world.submit('sell');
  await world.pass(30);
  const lists = listsOfWorld();
  const pages = [
    await lists.listOwnDeals(person, {}, FIRST, 'jp'),
    await lists.listOrders(acceptor, {}, FIRST, 'jp'),
    await lists.listForOperators({}, FIRST, 'jp'),
  ];
  const silent = translate('jp', 'acceptor.silent');
  expect(silent).not.toBe(translate('en', 'acceptor.silent'));
  expect(pages.flatMap(({ data }) => data.map(({ reason }) => reason))).toEqual([silent, silent, silent]);
});

test('a transfer to a person who cannot object goes to finance, with a record [ACC-027]', async () => {
  const states = () => world.deals.map(({ state, stage }) => `${state} ${stage}`);
  const transferred = async (): Promise<string> => {
    const { id } = await world.submit('sell');
    await world.desk.markTransferred(acceptor, { id, proofPic: 'x', password: 'x' }, by(acceptor));
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
  expect(await toKey(world.customers.confirm(USER, { id }, by(person)))).toBe('acceptor.state');
});

test('a person without the role takes posted coins back and posts none; others do neither [ACC-023]', async () => {
  const move = (direction: 'in' | 'out', userId: number, isAcceptor = false): Promise<unknown> => {
    const fields = { direction, number: new WrittenAmount('40', 'number', {}), password: 'x' };
    return toKey(world.desk.fundCoins({ ...acceptor, userId, isAcceptor }, fields, by(acceptor)));
  };
  const posted = (): bigint | undefined => world.ledger.balances.get(`${ACCEPTOR}.acceptor ${USDT}`);
  expect([await move('in', ACCEPTOR), await move('out', USER), await move('out', USER, true)]).toEqual(
    Array(3).fill('common.noPermission'),
  );
  expect([await move('out', ACCEPTOR), posted()]).toEqual(['acceptor.funded', toUnits('960', 8)]);
});

test('a person without the role still reads own terms, quotas and deals; others read none [ACC-026]', async () => {
  const before = { ...acceptor, isAcceptor: false };
  expect(await world.lists.findAccount(before)).toMatchObject({ user_id: ACCEPTOR });
  const { id } = await world.submit('buy');
  expect((await world.lists.listOrders(before, {}, FIRST, 'en')).data).toMatchObject([{ id }]);
  for (const caller of [person, { ...person, isAcceptor: true }]) {
    expect(await toKey(world.lists.findAccount(caller))).toBe('common.noPermission');
    expect(await toKey(world.lists.listOrders(caller, {}, FIRST, 'en'))).toBe('common.noPermission');
  }
});

test('open deposits of a person are limited, also concurrent ones; withdrawals are not [ACC-034]', async () => {
  const max = ACCEPTOR_OPEN_DEPOSITS.initial;
  await world.submit('sell');
  const asked = await Promise.allSettled(Array.from({ length: max + 3 }, () => world.submit('buy')));
  const refused = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  expect(refused).toHaveLength(3);
  for (const each of refused) expect(each).toMatchObject({ key: 'c2c.openDeal', params: { max } });
  expect(translate('en', 'c2c.openDeal', { max })).toContain(String(max));
  await world.submit('sell');
  // A deal that finance has to decide is open, a cancelled one is not.
  const [first, second] = world.deals.filter(({ type }) => type === 'buy');
  await world.pass(5);
  await world.customers.objectTo(USER, { id: first!.id, reason: 'I have paid', pic: 'x' }, by(person));
  expect(await toKey(world.submit('buy'))).toBe('c2c.openDeal');
  await world.customers.cancel(USER, { id: second!.id }, by(person));
  await world.submit('buy');
  expect(await toKey(world.submit('buy'))).toBe('c2c.openDeal');
});

test('due deadlines ask auth once, before any deal is locked [ACC-035]', async () => {
  const ids: string[] = [];
  for (let number = 0; number < 3; number += 1) {
    const { id } = await world.submit('sell');
    await world.desk.markTransferred(acceptor, { id, proofPic: 'x', password: 'x' }, by(acceptor));
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

test('a grant saved twice under one key asks for a second operator once [ACC-025]', async () => {
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

test('an objection to a deposit needs a picture and the acceptor’s time to answer [HARD-436]', async () => {
  const { id } = await world.submit('buy');
  const object = (pic?: string): Promise<unknown> =>
    world.customers.objectTo(USER, { id, reason: 'I have paid', pic }, by(person)).catch((error: unknown) => error);
  expect(await object()).toMatchObject({ key: 'upload.required' });
  const early = (await object('x')) as { key: string; params: { until: string } };
  expect(early.key).toBe('acceptor.wait');
  expect(Date.parse(`${early.params.until.replace(' ', 'T')}Z`) - world.deals[0]!.createdAt).toBeGreaterThan(
    5 * MINUTE - 1_000,
  );
  expect(await toKey(world.customers.objectTo(7, { id, reason: 'mine?' }, by(person)))).toBe('common.notFound');
  await world.pass(5);
  expect(await object()).toMatchObject({ key: 'upload.required' });
  expect(await object('x')).toMatchObject({ key: 'acceptor.objected' });
  // A withdrawal needs neither.
  const { id: withdrawal } = await world.submit('sell');
  await world.desk.markTransferred(acceptor, { id: withdrawal, proofPic: 'x', password: 'x' }, by(acceptor));
  expect(await toKey(world.customers.objectTo(USER, { id: withdrawal, reason: 'nothing' }, by(person)))).toBe(
    'acceptor.objected',
  );
});

test('open deposits of one person stay within a share of the acceptor, also concurrent ones [HARD-437]', async () => {
  world.acceptorBalance = { ...world.acceptorBalance, posted: toUnits('1000', 8) };
  const refused = await world.submit('buy', by(person), { money: '255.11' }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ key: 'acceptor.quota', params: { max: '255.10' } });
  const asked = await Promise.allSettled(Array.from({ length: 4 }, () => world.submit('buy')));
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await world.submit('buy').catch((error: unknown) => error)).toMatchObject({
    ...{ key: 'acceptor.quota', params: { max: '55.10' } },
  });
  await world.submit('buy', by(person), { money: '55.10' });
});

test('a person with three rejected objections makes no deposits for 30 days [HARD-438]', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { id } = await world.submit('buy');
    await world.pass(5);
    await world.customers.objectTo(USER, { id, reason: 'I have paid', pic: 'x' }, by(person));
    await world.steps.take('admin.acceptorDecided', by(finance), () =>
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

test('a deal at other rates than shown is refused with the current amount [HARD-439]', async () => {
  const submit = (type: 'buy' | 'sell', receiveMoney: string): Promise<unknown> =>
    toKey(world.submit(type, by(person), { receiveMoney }));
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
const balanceOf = (account: string, currency = USDT): bigint =>
  world.ledger.balances.get(`${account} ${currency}`) ?? 0n;
/** A withdrawal of 100 that was confirmed by time, with `left` in the acceptor's balance. */
async function confirmedByTime(left = '1100'): Promise<string> {
  const { id } = await world.submit('sell');
  await world.desk.markTransferred(acceptor, { id, proofPic: 'x', password: 'x' }, by(acceptor));
  await world.pass(21);
  world.ledger.add(`${ACCEPTOR}.acceptor`, USDT, usdt(left) - balanceOf(`${ACCEPTOR}.acceptor`));
  world.acceptorBalance = { ...world.acceptorBalance, posted: usdt(left) };
  return id;
}
const dispute = (id: string): Promise<unknown> =>
  toKey(world.customers.objectTo(USER, { id, reason: 'nothing came' }, by(person)));
const judge = (id: string, outcome: 'confirm' | 'reject', context = by(finance)): Promise<unknown> =>
  toKey(world.recovery.decide(finance, { id, outcome, reason: 'seen' }, context));

test('only a withdrawal confirmed by time can be objected to, for 24 h [HARD-448]', async () => {
  const id = await confirmedByTime();
  expect(await dispute(id)).toBe('acceptor.objected');
  expect(world.deals[0]).toMatchObject({ state: 'confirmed', stage: 'objected', dispute: 'open' });
  expect(await dispute(id)).toBe('acceptor.state');
  const late = await confirmedByTime();
  await world.pass(24 * 60);
  expect(await dispute(late)).toBe('acceptor.state');
  const { id: received } = await world.submit('sell');
  await world.desk.markTransferred(acceptor, { id: received, proofPic: 'x', password: 'x' }, by(acceptor));
  await world.customers.confirm(USER, { id: received }, by(person));
  expect(await dispute(received)).toBe('acceptor.state');
});

test('an outage at the confirmation by time takes nothing of the time to object [ACC-036]', async () => {
  const { id } = await world.submit('sell');
  await world.desk.markTransferred(acceptor, { id, proofPic: 'x', password: 'x' }, by(acceptor));
  // The exchange was away for three days: the transfer is confirmed only now.
  await world.pass(3 * 24 * 60);
  expect(world.deals[0]).toMatchObject({ state: 'confirmed' });
  await world.pass(24 * 60 - 1);
  expect(await dispute(id)).toBe('acceptor.objected');
});

test('an objection decided for the person returns the coins, and the acceptor’s cash [HARD-448]', async () => {
  const [legal, cash] = [balanceOf(`${USER}.legal`), balanceOf(`${ACCEPTOR}.quota`, INTERNAL_CURRENCIES.CSH.id)];
  const id = await confirmedByTime();
  await dispute(id);
  const context = by(finance);
  expect(await judge(id, 'reject', context)).toBe('admin.acceptorDecided');
  expect(await judge(id, 'reject', context)).toBe('admin.acceptorDecided');
  expect(world.deals[0]).toMatchObject({ state: 'rejected', dispute: 'returned', missing: 0n });
  expect(balanceOf(`${USER}.legal`)).toBe(legal);
  expect(balanceOf(`${ACCEPTOR}.acceptor`)).toBe(usdt('1000'));
  expect(balanceOf(`${ACCEPTOR}.quota`, INTERNAL_CURRENCIES.CSH.id)).toBe(cash);
  expect(world.server.rows(DEBT)).toEqual([]);
  expect(await judge(id, 'confirm')).toBe('acceptor.state');
});

test('an objection decided for the acceptor changes nothing [HARD-448]', async () => {
  const id = await confirmedByTime();
  const before = balanceOf(`${ACCEPTOR}.acceptor`);
  await dispute(id);
  expect(await judge(id, 'confirm')).toBe('admin.acceptorDecided');
  expect([balanceOf(`${ACCEPTOR}.acceptor`), world.deals[0]!.dispute]).toEqual([before, 'kept']);
  expect(await dispute(id)).toBe('acceptor.state');
});

test.each([
  ['confirm', 'acceptorDone'],
  ['reject', 'acceptorReturned'],
] as const)(
  'both parties get each notice of a late objection with the decision "%s" once [NOTICE-037]',
  async (outcome, kind) => {
    const id = await confirmedByTime();
    await dispute(id);
    await judge(id, outcome);
    const kinds = (user: number): string[] =>
      world.notices.flatMap((each) => (each.userId === user ? [each.kind] : []));
    expect(kinds(USER)).toEqual(['acceptorTransferred', 'acceptorDone', kind]);
    expect(kinds(ACCEPTOR)).toEqual(['acceptorPlaced', 'acceptorDone', 'acceptorObjected', kind]);
    expect(new Set(world.notices.map((each) => `${each.userId} ${each.id}`)).size).toBe(world.notices.length);
  },
);

test('the house pays missing coins, and the acceptor owes them and is closed until then [HARD-449]', async () => {
  world.ledger.add('h.capital', USDT, usdt('1000'));
  const [legal, id] = [balanceOf(`${USER}.legal`), await confirmedByTime('30')];
  await dispute(id);
  expect(await judge(id, 'reject')).toBe('admin.acceptorDecided');
  expect([balanceOf(`${USER}.legal`), balanceOf(`${ACCEPTOR}.acceptor`)]).toEqual([legal, 0n]);
  expect(balanceOf('h.capital')).toBe(usdt('930'));
  expect(await world.debts.findOwed([ACCEPTOR])).toEqual(new Map([[ACCEPTOR, usdt('70')]]));
  expect(await toKey(world.submit('sell'))).toBe('common.notFound');
  expect(await toKey(world.submit('buy'))).toBe('common.notFound');
  const fund = (direction: 'in' | 'out', number: string): Promise<unknown> => {
    const fields = { direction, number: new WrittenAmount(number, 'number', {}), password: 'x' };
    return toKey(world.desk.fundCoins(acceptor, fields, by(acceptor)));
  };
  world.ledger.add(`${ACCEPTOR}.legal`, USDT, usdt('200'));
  expect(await fund('in', '20')).toBe('acceptor.funded');
  expect([balanceOf(`${ACCEPTOR}.acceptor`), balanceOf('h.capital')]).toEqual([0n, usdt('950')]);
  expect(await fund('out', '1')).toBe('balance.credit');
  expect(await fund('in', '80')).toBe('acceptor.funded');
  expect([balanceOf(`${ACCEPTOR}.acceptor`), balanceOf('h.capital')]).toEqual([usdt('30'), usdt('1000')]);
  expect((await world.debts.findOwed([ACCEPTOR])).size).toBe(0);
  await world.submit('sell');
});

test('coins gone meanwhile leave the decision open, and the next one takes the rest [HARD-449]', async () => {
  world.ledger.add('h.capital', USDT, usdt('1000'));
  const id = await confirmedByTime('30');
  world.acceptorBalance = { ...world.acceptorBalance, posted: usdt('90') };
  await dispute(id);
  const legal = balanceOf(`${USER}.legal`);
  expect(await judge(id, 'reject')).toBe('common.unavailable');
  expect(world.deals[0]).toMatchObject({ state: 'confirmed', dispute: 'open', missing: 0n });
  world.acceptorBalance = { ...world.acceptorBalance, posted: usdt('30') };
  expect(await judge(id, 'reject')).toBe('admin.acceptorDecided');
  expect(balanceOf(`${USER}.legal`) - legal).toBe(usdt('100'));
});
