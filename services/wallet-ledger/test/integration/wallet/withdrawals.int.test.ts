import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger, Module, type INestMicroservice, type Type } from '@nestjs/common';
import { SEED_CURRENCIES, SEED_NETWORKS, type ChainName, type CurrencyRow } from '@bourse/contract';
import { decode, OperatorActionV1, TOPICS, type Message, type PricesView } from '@bourse/events';
import { LedgerClient, Sagas } from '@bourse/ledger-client';
import { toUnits } from '@bourse/money';
import {
  Asks,
  authAsks,
  Fenced,
  FundGate,
  gatewayAsks,
  InProcessAsks,
  InProcessViews,
  leaseUnder,
  Log,
  LogTransport,
  marketDataAsks,
  SingleRunner,
  startMessageApp,
  SecondPerson,
  type FundVerdict,
  type Lease,
  type TotpVerdict,
  type UsedVerdict,
} from '@bourse/messaging';
import { AnswerStore } from '@bourse/persistence';
import {
  Alarms,
  Notice,
  Refused,
  Unavailable,
  readFields,
  type CallContext,
  type Caller,
  type Config,
  type FieldRecord,
  type SecurityLog,
} from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { callDeadline, eventually, SimulatedClock, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { WithdrawalsController } from '../../../src/wallet/withdrawals/messaging/withdrawals.controller.js';
import { PostgresAddressStore } from '../../../src/wallet/addresses/persistence/address-store.js';
import { PostgresPayoutStore } from '../../../src/wallet/withdrawals/persistence/payout-store.js';
import { PostgresWithdrawalStore } from '../../../src/wallet/withdrawals/persistence/withdrawal-store.js';
import { BoundAddresses } from '../../../src/wallet/addresses/application/bound-addresses.js';
import type { Chains } from '../../../src/wallet/chains/application/chain.js';
import type { ChainHealth } from '../../../src/wallet/chains/application/chain-health.js';
import { CommandAnswers } from '../../../src/ledger/application/command-answers.js';
import { Currencies } from '../../../src/ledger/application/currencies.js';
import { UseCaseDatabase } from '../../../src/ledger/application/use-case-database.js';
import { Networks } from '../../../src/wallet/shared/application/networks.js';
import { Prices } from '../../../src/wallet/shared/application/prices.js';
import { DecideWithdrawal } from '../../../src/wallet/withdrawals/application/decide-withdrawal.js';
import { AuthorizeOutgoing } from '../../../src/wallet/withdrawals/application/authorize-outgoing.js';
import { OpenWithdrawals } from '../../../src/wallet/withdrawals/application/open-withdrawals.js';
import { FaultInjector, FakeChain, FakeNetwork } from '../../wallet/payout-suite.js';
import { PayoutStops } from '../../../src/wallet/withdrawals/application/payout-stops.js';
import { Payouts, type NewPayout, type PayoutSettler } from '../../../src/wallet/withdrawals/application/payouts.js';
import { PlaceWithdrawal } from '../../../src/wallet/withdrawals/application/place-withdrawal.js';
import {
  ADDRESS_WAIT,
  AUTO_LIMIT,
  DAY_LIMIT,
  TWO_PERSON_LIMIT,
  USD_SCALE,
} from '../../../src/wallet/shared/application/settings.js';
import { Sender } from '../../../src/wallet/withdrawals/application/sender.js';
import { loadNetworks } from '../../../src/wallet/shared/persistence/network-store.js';
import { openPayments, takeBackUnsigned } from '../../../src/reconcile.js';
import { BTC, LedgerProcess, ledgerDatabases, USDT } from '../ledger/writer-harness.js';
import { CoinListQuery } from '../../../src/wallet/shared/application/fields.js';
import { SignAddressBody } from '../../../src/wallet/addresses/application/fields.js';
import { WithdrawalListQuery, WithdrawBody } from '../../../src/wallet/withdrawals/application/fields.js';

jest.setTimeout(testTimeoutMs(24_000));

const USER = 100_001;
const DAY = 24 * 3_600_000;
const ERC20 = 3;
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const OTHER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const PRICES: Record<number, string> = { [USDT]: '1', [BTC]: '50000' };

let db: TestDatabases;
let ledger: LedgerProcess;
let wallet: Wallet;

/** The wallet's use cases over a real ledger and real tables, with a double of auth and a simulated chain. */
class Wallet {
  readonly clock = new SimulatedClock(Date.now());
  readonly settings = new FixedSettings();
  readonly asks = new InProcessAsks();
  readonly views = new InProcessViews();
  /** Security events, in their order. */
  readonly events: { readonly event: string; readonly [fact: string]: unknown }[] = [];
  readonly network = new FakeNetwork();
  readonly chain = new FakeChain(this.network);
  readonly payoutStore: PostgresPayoutStore;
  readonly settlers = new Map<string, PayoutSettler>();
  readonly networks = new Networks(SEED_NETWORKS);
  readonly answers: AnswerStore;
  readonly commandAnswers: CommandAnswers;
  readonly addresses: BoundAddresses;
  readonly outgoing: AuthorizeOutgoing;
  readonly stops: PayoutStops;
  readonly place: PlaceWithdrawal;
  readonly decide: DecideWithdrawal;
  readonly sagas: Sagas;
  private readonly root: Type;
  private app: Promise<INestMicroservice> | undefined;
  /** Answers of auth. */
  auth = {
    totp: { ok: true } as TotpVerdict,
    blockedUntil: null as number | null,
    frozen: [] as number[],
    /** Operators who are switched off or have lost the role. */
    gone: [] as number[],
  };
  /** Whether an operator has stopped payouts. */
  stopped = false;
  /** The feed says nothing new, and market-data does not answer. */
  silent = false;
  /** The chain whose booked deposits are in no block any more. */
  closed: ChainName | null = null;

  constructor(process: LedgerProcess) {
    const { database, log, replies, reader } = process;
    const config = { ledgerPartitions: process.partitions, walletMiddlewareSecret: 'demo-secret' } as unknown as Config;
    const byId = (id: number): CurrencyRow | undefined => SEED_CURRENCIES.find((row) => row.id === id);
    const currencies = {
      byId,
      all: () => SEED_CURRENCIES,
      ready: () => Promise.resolve(),
      scaleOf: (id: number) => byId(id)?.scale,
      nameOf: (id: number) => byId(id)?.name ?? '',
    } as unknown as Currencies;
    const { networks } = this;
    const chains = {
      get: (name: string) => (['ethereum', 'tron', 'bitcoin'].includes(name) ? this.chain : undefined),
      all: () => [this.chain],
    } as unknown as Chains;
    this.publish();
    const prices = new Prices(this.views, this.asks, this.clock);
    const withdrawals = new PostgresWithdrawalStore(database);
    const security = {
      record: (event: string, facts: object) => this.events.push({ event, ...facts }),
    } as unknown as SecurityLog;
    const addressStore = new PostgresAddressStore(database);
    this.payoutStore = new PostgresPayoutStore(database);
    const payouts = new (class extends Payouts {
      constructor(private readonly owner: Wallet) {
        super();
      }
      override enqueue(tx: Parameters<Payouts['enqueue']>[0], payout: NewPayout): Promise<void> {
        return this.owner.payoutStore.enqueue(tx, payout);
      }
      override settle(kind: string, settler: PayoutSettler): void {
        this.owner.settlers.set(kind, settler);
      }
    })(this);
    this.answers = new AnswerStore(database);
    this.commandAnswers = new CommandAnswers(reader, this.answers);
    this.asks.handle(authAsks.fund, async ({ password }): Promise<FundVerdict> =>
      password === 'fund66' ? { ok: true } : { ok: false, key: 'fund.wrong', params: { left: 4 } },
    );
    // Operator 101 was added by operator 2.
    this.asks.handle(authAsks.secondPerson, async ({ operatorId, others }) => ({
      ok: operatorId !== 101,
      gone: others.filter((id) => this.auth.gone.includes(id)),
    }));
    this.asks.handle(authAsks.totp, async () => this.auth.totp);
    this.asks.handle(authAsks.frozen, async ({ userIds }) => userIds.filter((id) => this.auth.frozen.includes(id)));
    this.asks.handle(gatewayAsks.withdrawals, async () => ({ stopped: this.stopped }));
    this.asks.handle(marketDataAsks.prices, async () => {
      if (this.silent) throw new Error('market-data is away');
      return this.pricesView();
    });
    this.asks.handle(authAsks.withdrawals, async () => ({ blockedUntil: this.auth.blockedUntil }));
    this.asks.handle(authAsks.useCode, async ({ code }): Promise<UsedVerdict> =>
      code === '123456' ? { ok: true } : { ok: false, key: 'code.wrong', params: { left: 4 } },
    );
    this.addresses = new BoundAddresses(
      addressStore,
      database,
      currencies,
      networks,
      chains,
      this.asks,
      this.clock,
      config,
      security,
      this.settings,
    );
    const stops = new PayoutStops(this.asks);
    const health: ChainHealth = { closed: async (chain) => this.closed === chain };
    this.outgoing = new AuthorizeOutgoing(
      new FundGate((userId, password) => this.asks.ask(authAsks.fund, { userId, password })),
      this.asks,
      stops,
      addressStore,
      withdrawals,
      health,
      prices,
      this.clock,
      this.settings,
    );
    this.stops = stops;
    this.place = new PlaceWithdrawal(
      currencies,
      networks,
      chains,
      this.outgoing,
      reader,
      this.answers,
      this.commandAnswers,
      new LedgerClient(log, replies, reader, this.clock, config),
      replies,
      this.clock,
      security,
    );
    this.sagas = new Sagas({
      service: 'wallet-ledger',
      database,
      log,
      replies,
      clock: this.clock,
      alarms: new Alarms(),
      partitions: config.ledgerPartitions,
    });
    this.decide = new DecideWithdrawal(
      database,
      withdrawals,
      payouts,
      currencies,
      networks,
      new SecondPerson(this.asks),
      log,
      this.clock,
      config,
      this.outgoing,
      stops,
      security,
      this.sagas.commands,
      this.sagas,
    );
    const opening = new OpenWithdrawals(
      withdrawals,
      payouts,
      this.answers,
      this.commandAnswers,
      currencies,
      networks,
      chains,
      this.outgoing,
      replies,
      config,
    );
    class Root {}
    Module({
      controllers: [WithdrawalsController],
      providers: [
        LogTransport,
        { provide: Log, useValue: log },
        { provide: Asks, useValue: this.asks },
        { provide: UseCaseDatabase, useValue: database },
        { provide: Currencies, useValue: currencies },
        { provide: Prices, useValue: prices },
        { provide: OpenWithdrawals, useValue: opening },
      ],
    })(Root);
    this.root = Root;
  }

  /** From now on the withdrawals that the ledger has held are opened. */
  open(): void {
    this.app = startMessageApp(this.root, ['error', 'fatal']);
  }
  async close(): Promise<void> {
    await (await this.app)?.close();
  }

  /** An operator removes the minimum of a network. */
  dropMinimum(id: number): void {
    const row = SEED_NETWORKS.find((network) => network.id === id);
    if (!row) throw new Error(`network ${id} is not there`);
    this.networks.take({ ...row, minWithdrawal: '0', version: 1 });
  }

  /** The prices that market-data would answer now. */
  pricesView(): PricesView {
    const at = this.clock.now();
    const valuation = Object.fromEntries(Object.entries(PRICES).map(([id, usd]) => [id, { usd, at }]));
    // The displayed prices are made by traders: no decision here may use them.
    return { at, usdt: { [USDT]: '0.01', [BTC]: '1.00' }, valuation, cnyPerUsdt: '6.5' };
  }
  publish(): void {
    this.views.publish('prices', this.pricesView(), true);
  }

  /** Requests a withdrawal of USDT as a call does; a refusal is its key. */
  async out(fields: FieldRecord = {}, context: Partial<CallContext> = {}, user = USER): Promise<Notice | string> {
    return told(
      this.place.execute(
        user,
        readFields(WithdrawBody, {
          address: ADDRESS,
          number: '150',
          currency: String(USDT),
          type: String(ERC20),
          pay_password: 'fund66',
          ...fields,
        }),
        this.context(context),
      ),
    );
  }
  /** One operator's no. */
  reject(by: number, id: string): Promise<Notice | string> {
    return told(this.decide.reject(operator(by), { id, reason }, this.context({ commandId: null })));
  }
  cancel(id: string, user = USER): Promise<Notice | string> {
    return told(this.decide.cancel(user, { id }, this.context()));
  }

  context(more: Partial<CallContext> = {}): CallContext {
    return {
      requestId: 'r',
      lang: 'en',
      ip: '',
      agent: '',
      caller: null,
      commandId: randomUUID(),
      hasKey: false,
      bodyHash: 'body',
      validUntil: callDeadline(),
      ...more,
    };
  }
  sender(fuse = new FaultInjector(), chain: FakeChain = this.chain): Sender {
    return new Sender({
      chain: fuse.through(chain),
      store: fuse.through(this.payoutStore),
      clock: this.clock,
      alarms: new Alarms(),
      isClosed: () => this.stops.stopped(),
      frozen: (userIds) => this.stops.frozen(userIds),
      settlerOf: (reference) =>
        this.settlers.get(reference.split(':')[0] ?? '') ?? (() => Promise.reject(new Error(reference))),
    });
  }
}
const told = async (call: Promise<Notice>): Promise<Notice | string> =>
  call.catch((error: unknown) => {
    if (error instanceof Refused) return error.key;
    throw error;
  });
const idOf = (answer: Notice | string): string => {
  if (typeof answer === 'string') throw new Error(answer);
  return String(answer.extra['id']);
};
const operator = (userId: number): Caller => ({ userId, accountNumber: `finance${userId}` }) as unknown as Caller;
const reason = 'looked at it';
/** Available and held USDT of a person. */
const money = async (user = USER): Promise<[string, string]> => {
  const row = (await ledger.reader.balances(user)).find(
    ({ account, currency }) => account === 'change' && currency === USDT,
  );
  return [row?.available ?? '0', row?.held ?? '0'];
};
const house = async (account: string): Promise<string> =>
  (await ledger.reader.balances(-1)).find((row) => row.account === account && row.currency === USDT)?.available ?? '0';
const state = async (id: string): Promise<string> =>
  (await db.query<{ state: string }>('select state from ledger.withdrawal where id = $1', [id]))[0]?.state ?? '';
const seenAt = async (id: string): Promise<number> =>
  (await wallet.decide.all(readFields(WithdrawalListQuery, { id }), 'en')).data[0]?.updated_ts ?? 0;
const number = async (sql: string): Promise<number> =>
  Number((await db.query<{ n: string }>(`select count(*) as n from ${sql}`))[0]?.n);
const actions = async (): Promise<Message[]> =>
  (
    await db.query<{ payload: string }>(`select payload from ledger.outbox where topic = $1 order by number`, [
      TOPICS.operatorActions,
    ])
  ).flatMap(({ payload }) => JSON.parse(payload) as Message[]);

/** A lease under its own instance name, taken from any current owner. */
async function lease(instance = 'one'): Promise<Lease> {
  await ledger.database.execute(`update owner set lease_until = '-infinity' where consumer = 'chain.sender.test'`);
  const taken = await ledger.database.tables.owners.take('chain.sender.test', 0, instance, 60_000);
  if (!taken) throw new Error('the lease was not free');
  return leaseUnder(ledger.database, {
    name: 'chain.sender.test',
    epoch: taken.epoch,
    signal: new AbortController().signal,
  });
}

beforeAll(() => Logger.overrideLogger(['error', 'fatal']));
beforeEach(async () => {
  db = await ledgerDatabases();
  ledger = await LedgerProcess.start(db);
  wallet = new Wallet(ledger);
});
afterEach(async () => {
  await wallet.close();
  await wallet.sagas.beforeApplicationShutdown();
  await ledger.stop();
  await db.end();
});
const opened = (): void => {
  wallet.open();
  wallet.sagas.start();
};

describe('a withdrawal', () => {
  test('is held, paid out, and booked to the world outside and to the house [WITHDRAW-010]', async () => {
    opened();
    await ledger.seed(USER, '1000');
    const answer = await wallet.out({ number: '150.0000009', rate: '0', user_id: '7' });
    const id = idOf(answer);
    expect((answer as Notice).key).toBe('wallet.outSubmitted');
    expect((answer as Notice).extra['withdrawal']).toMatchObject({
      id,
      number: '150.00000090',
      // The token has six decimals: the remainder is added to the fee.
      fee: '2.25000090',
      received: '147.75000000',
      address: ADDRESS,
      type: ERC20,
      status: 1,
      state: 'sending',
      tx_id: '',
    });
    expect(await money()).toEqual(['849.99999910', '150.00000090']);
    const one = await lease();
    await wallet.sender().round(one);
    expect((await wallet.decide.ofUser(USER, readFields(CoinListQuery, {}), 'en')).data).toMatchObject([
      { id, state: 'sending', tx_id: 'tx-1', confirmations: 0 },
    ]);
    for (let n = 0; n < 6; n++) {
      wallet.network.mine();
      await wallet.sender().round(one);
    }
    expect(
      (await wallet.decide.ofUser(USER, readFields(CoinListQuery, { currency: String(USDT) }), 'en')).data,
    ).toMatchObject([{ id, state: 'done', status: 2, tx_id: 'tx-1', confirmations: 6 }]);
    await eventually(async () => (await money())[1] === '0.00000000');
    // The remainder too fine for six decimals stays with the house, as fee.
    expect([await house('h.outside'), await house('h.fees')]).toEqual(['-852.25000000', '2.25000090']);
    const lines = await db.query<{ entries: (string | number)[][] }>(
      `select entries from ledger.journal where id = $1 and owner = ${USER}`,
      [`withdrawal:${id}:done`],
    );
    expect(lines[0]?.entries.map((entry) => [entry[3], entry[6]])).toEqual([
      ['-147.75000000', 0],
      ['-2.25000090', 1],
    ]);
    expect(wallet.network.paid(`withdrawal:${id}`)).toBe(1);
  });

  test('64 at once of a tenth of the balance each: exactly ten pass [WITHDRAW-011]', async () => {
    opened();
    await ledger.seed(USER, '1000');
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => wallet.out({ number: '100' }, { validUntil: Date.now() + 40_000 })),
    );
    expect(answers.filter((one) => typeof one !== 'string')).toHaveLength(10);
    expect(answers.filter((one) => one === 'balance.insufficient')).toHaveLength(54);
    expect(await money()).toEqual(['0.00000000', '1000.00000000']);
    expect(await number('ledger.withdrawal')).toBe(10);
    expect(await number('ledger.payout')).toBe(10);
  });

  test("the day's limit has no races: one beyond it is refused and its hold released [WITHDRAW-012]", async () => {
    opened();
    await ledger.seed(USER, '1000000');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => wallet.out({ number: '9000' }, { validUntil: Date.now() + 40_000 })),
    );
    expect(answers.filter((one) => typeof one !== 'string')).toHaveLength(11);
    expect(answers.filter((one) => one === 'wallet.dayLimit')).toHaveLength(9);
    await eventually(async () => (await money())[1] === '99000.00000000');
    expect(await money()).toEqual(['901000.00000000', '99000.00000000']);
    // A cancelled amount no longer counts; the next day begins at zero.
    const [first] = answers.filter((one) => typeof one !== 'string').map(idOf);
    expect(await wallet.out({ number: '1000.01' })).toBe('wallet.dayLimit');
    expect(await wallet.cancel(first ?? '')).toEqual(new Notice('wallet.outCancelled'));
    // It says that the money is free: the hold is gone when it says so (api §6.11).
    expect((await ledger.reader.holds(USER)).map(({ name }) => name)).not.toContain(`withdrawal:${first ?? ''}`);
    expect(await wallet.out({ number: '1000.01' })).toBeInstanceOf(Notice);
    wallet.clock.setOffset(DAY);
    expect(await wallet.out({ number: '99000' })).toBeInstanceOf(Notice);
  });

  test('each is judged with the others of its last 24 hours that were not taken back [HARD-416]', async () => {
    opened();
    await ledger.seed(USER, '100000');
    const ask = async (number: string): Promise<string> => {
      const id = idOf(await wallet.out({ number }));
      wallet.clock.advance(1);
      return id;
    };
    const small = await ask('970');
    const second = await ask('970');
    expect([await state(small), await state(second)]).toEqual(['sending', 'review']);
    // The cancelled amount no longer counts: 970 and 30 are the limit exactly.
    await wallet.cancel(second);
    expect(await state(await ask('30'))).toBe('sending');
    expect(await state(await ask('20'))).toBe('review');
    const large = await ask('8980');
    expect(await number(`ledger.withdrawal where id = ${large} and approvals_needed = 2`)).toBe(1);
    wallet.clock.advance(86_400_000);
    expect(await state(await ask('1000'))).toBe('sending');
  });

  test('one that is opened before an earlier one counts with it [WITHDRAW-034]', async () => {
    opened();
    await ledger.seed(USER, '10000');
    // Two instances: the request of the slower one reaches the log after a later one of the other.
    wallet.clock.advance(50);
    expect(await state(idOf(await wallet.out({ number: '600' })))).toBe('sending');
    wallet.clock.advance(-50);
    expect(await state(idOf(await wallet.out({ number: '600' })))).toBe('review');
  });

  test('small ones are sent, larger ones wait for one operator, the largest for two [WITHDRAW-013]', async () => {
    opened();
    await ledger.seed(USER, '100000');
    const ids: string[] = [];
    for (const number of ['1000', '1000.01', '10000']) {
      ids.push(idOf(await wallet.out({ number })));
      wallet.clock.advance(1);
    }
    const [small, middle, large] = ids as [string, string, string];
    expect([await state(small), await state(middle), await state(large)]).toEqual(['sending', 'review', 'review']);
    expect((await wallet.decide.all(readFields(WithdrawalListQuery, { state: 'review' }), 'en')).data).toMatchObject([
      { id: large, approvals: 0, approvals_needed: 2, value: '10000.00000000', user_id: USER },
      { id: middle, approvals_needed: 1 },
    ]);
    expect(await told(wallet.decide.approve(operator(2), { id: middle, reason }))).toMatchObject({
      key: 'admin.withdrawalApproved',
    });
    expect(await told(wallet.decide.approve(operator(2), { id: large, reason }))).toMatchObject({
      key: 'admin.secondNeeded',
    });
    for (const nobodyElse of [2, 101])
      expect(await told(wallet.decide.approve(operator(nobodyElse), { id: large, reason }))).toBe('admin.samePerson');
    expect(await state(large)).toBe('review');
    expect(await told(wallet.decide.approve(operator(3), { id: large, reason }))).toMatchObject({
      key: 'admin.withdrawalApproved',
    });
    expect(await told(wallet.decide.approve(operator(3), { id: large, reason }))).toBe('wallet.state');
    expect([await state(middle), await state(large), await number('ledger.payout')]).toEqual(['sending', 'sending', 3]);
    const trail = await actions();
    expect(trail.map(({ body }) => body)).toMatchObject([
      { action: 'withdrawals.approve', target: middle, operatorId: 2, operator: 'finance2', reason, after: 'sending' },
      { target: large, operatorId: 2, after: 'review, 1 of 2' },
      { target: large, operatorId: 3, after: 'sending' },
    ]);
    for (const message of trail) expect(decode(OperatorActionV1, message).ok).toBe(true);
    expect(new Set(trail.map(({ body }) => (body as { id: string }).id)).size).toBe(3);
  });

  test('the approval of an operator who has lost the role since no longer counts [HARD-520]', async () => {
    opened();
    await ledger.seed(USER, '100000');
    const id = idOf(await wallet.out({ number: '10000' }));
    const approved = (by: number): Promise<unknown> => told(wallet.decide.approve(operator(by), { id, reason }));
    expect(await approved(2)).toMatchObject({ key: 'admin.secondNeeded' });
    wallet.auth.gone = [2];
    try {
      expect(await approved(3)).toMatchObject({ key: 'admin.secondNeeded' });
    } finally {
      wallet.auth.gone = [];
    }
    expect([await state(id), await number('ledger.payout')]).toEqual(['review', 0]);
    expect(await approved(4)).toMatchObject({ key: 'admin.withdrawalApproved' });
  });

  test('limits that an operator changes count for later withdrawals only [SETTING-033]', async () => {
    opened();
    await ledger.seed(USER, '200000');
    const shown = async (): Promise<readonly { id: string; approvals_needed: number }[]> =>
      (await wallet.decide.all(readFields(WithdrawalListQuery, { state: 'review' }), 'en')).data;
    const usd = (text: string) => toUnits(text, USD_SCALE);
    const before = idOf(await wallet.out({ number: '10000' }));
    wallet.settings.set(AUTO_LIMIT, usd('100'));
    wallet.settings.set(TWO_PERSON_LIMIT, usd('50000'));
    wallet.clock.advance(1);
    const small = idOf(await wallet.out({ number: '100.01' }));
    wallet.clock.advance(1);
    const large = idOf(await wallet.out({ number: '10000' }));
    expect(await shown()).toMatchObject([
      { id: large, approvals_needed: 1 },
      { id: small, approvals_needed: 1 },
      { id: before, approvals_needed: 2 },
    ]);
    await wallet.decide.approve(operator(2), { id: before, reason });
    expect(await state(before)).toBe('review');
    wallet.settings.set(DAY_LIMIT, usd('20100'));
    expect(await wallet.out({ number: '20' })).toBe('wallet.dayLimit');
    wallet.settings.set(DAY_LIMIT, usd('20121'));
    expect(await wallet.out({ number: '20' })).toBeInstanceOf(Notice);
  });

  test("refused it comes back; another's is not there; later none is taken back [WITHDRAW-014, SAGA-020]", async () => {
    opened();
    await ledger.seed(USER, '5000');
    const [small, refused] = [idOf(await wallet.out({ number: '100' })), idOf(await wallet.out({ number: '2000' }))];
    expect(await wallet.cancel(refused, 100_002)).toBe('common.notFound');
    expect(await wallet.cancel(small)).toBe('wallet.state');
    expect(await wallet.reject(2, refused)).toMatchObject({ key: 'admin.withdrawalRejected', extra: {} });
    // The operator is answered when the person has the money again.
    expect((await money())[1]).toBe('100.00000000');
    expect(await wallet.cancel(refused)).toBe('wallet.state');
    expect(
      (await wallet.decide.ofUser(USER, readFields(CoinListQuery, {}), 'en')).data.find(({ id }) => id === refused),
    ).toMatchObject({
      status: 3,
      state: 'cancelled',
      reason,
    });
    expect(await wallet.reject(2, '1')).toBe('common.notFound');
  });

  test('cancelled and approved at once: one of the two happens, the money goes one way [WITHDRAW-015]', async () => {
    opened();
    await ledger.seed(USER, '30000');
    for (let n = 0; n < 6; n++) {
      const id = idOf(await wallet.out({ number: '1500' }));
      const results = await Promise.all([
        wallet.cancel(id),
        told(wallet.decide.approve(operator(2), { id, reason })),
        wallet.cancel(id),
        wallet.reject(3, id),
      ]);
      expect(results.filter((one) => typeof one !== 'string')).toHaveLength(1);
      expect(results.filter((one) => one === 'wallet.state')).toHaveLength(3);
      expect(await number(`ledger.payout where reference = 'withdrawal:${id}'`)).toBe(
        (await state(id)) === 'sending' ? 1 : 0,
      );
    }
    const sending = await number(`ledger.withdrawal where state = 'sending'`);
    await eventually(async () => (await money())[1] === `${1500 * sending}.00000000`);
  });

  test('one that the chain can no longer carry out is refunded, once [WITHDRAW-016]', async () => {
    opened();
    await ledger.seed(USER, '1000');
    const id = idOf(await wallet.out());
    const one = await lease();
    await wallet.sender().round(one);
    wallet.network.foreign();
    for (let n = 0; n < 5; n++) {
      await wallet.sender().round(one);
      wallet.network.mine();
      expect(await state(id)).toBe('sending');
    }
    await wallet.sender().round(one);
    expect(await state(id)).toBe('failed');
    await eventually(async () => (await money())[0] === '1000.00000000');
    expect((await wallet.decide.ofUser(USER, readFields(CoinListQuery, {}), 'en')).data).toMatchObject([
      { status: 3, state: 'failed', reason: expect.stringContaining('foreign') },
    ]);
    expect(wallet.network.paid(`withdrawal:${id}`)).toBe(0);
  });
});

describe('an amount that a network cannot carry', () => {
  const TRC20 = 4;
  const small: FieldRecord = { address: 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', type: String(TRC20) };
  const asked = (number: string): Promise<Notice> =>
    wallet.place.execute(
      USER,
      readFields(WithdrawBody, { ...small, number, currency: String(USDT), pay_password: 'fund66' }),
      wallet.context(),
    );
  beforeEach(async () => {
    await ledger.seed(USER, '1000');
    wallet.dropMinimum(TRC20);
  });

  test('is refused with the smallest one that brings something, also without a minimum [WITHDRAW-031]', async () => {
    opened();
    for (const less of ['0.00000001', '0.00000101'])
      await expect(asked(less)).rejects.toMatchObject({ key: 'wallet.lessMin', params: { min: '0.00000102' } });
    expect(await number('ledger.hold')).toBe(0);
    expect((await asked('0.00000102')).extra['withdrawal']).toMatchObject({ received: '0.00000100' });
    // Nodes pass on no payment of less than this: 0.01 at the decimals of the token, and the fee.
    wallet.network.least = 10_000n;
    await expect(asked('0.01010101')).rejects.toMatchObject({ params: { min: '0.01010102' } });
    expect((await asked('0.01010102')).extra['withdrawal']).toMatchObject({ received: '0.01000000' });
  });

  test('was held by an earlier version: the hold comes back when it is opened [WITHDRAW-031]', async () => {
    const call = asked('0.00500000');
    await eventually(async () => (await money())[1] === '0.00500000');
    wallet.network.least = 10_000n;
    opened();
    await expect(call).rejects.toMatchObject({ key: 'wallet.lessMin', params: { min: '0.01010102' } });
    await eventually(async () => (await money())[0] === '1000.00000000');
    expect([await number('ledger.withdrawal'), await number('ledger.payout')]).toEqual([0, 0]);
  });

  test('was opened by an earlier version: it ends unsigned with a refund; others go on [WITHDRAW-032]', async () => {
    opened();
    wallet.dropMinimum(ERC20);
    const id = idOf(await wallet.out({ number: '0.00500000' }));
    const other = idOf(await wallet.out({ number: '20' }));
    wallet.network.least = 10_000n;
    const one = await lease();
    await wallet.sender().round(one);
    expect([await state(id), await number(`ledger.payout where reference = 'withdrawal:${id}'`)]).toEqual([
      'cancelled',
      0,
    ]);
    await eventually(async () => (await money())[1] === '20.00000000');
    expect(wallet.network.sends).toHaveLength(1);
    const listed = (await wallet.decide.ofUser(USER, readFields(CoinListQuery, {}), 'en')).data;
    expect(listed.find((row) => row.id === id)).toMatchObject({
      status: 3,
      reason: expect.stringContaining('less than nodes pass on'),
    });
    expect(await state(other)).toBe('sending');
    expect(await number(`ledger.withdrawal_day where used = 20`)).toBe(1);
  });
});

describe('the value that limits go by', () => {
  beforeEach(async () => {
    opened();
    await ledger.seed(USER, '1', BTC);
  });
  const btc = (number: string): Promise<Notice | string> =>
    wallet.out({ currency: String(BTC), number, type: '', address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' });
  const usdt = (number = '150'): Promise<Notice | string> => wallet.out({ number });

  test('is that of the index, whatever the last trade of our own book [HARD-101]', async () => {
    // By the displayed price 0.02 BTC would be worth two cents, and would go out at once.
    const id = idOf(await btc('0.02000001'));
    expect(await state(id)).toBe('review');
    expect((await wallet.decide.all(readFields(WithdrawalListQuery, { state: 'review' }), 'en')).data).toMatchObject([
      { id, value: '1000.00050000', approvals_needed: 1 },
    ]);
    await wallet.cancel(id);
    expect(await state(idOf(await btc('0.02')))).toBe('sending');
    expect(await btc('2.1')).toBe('wallet.dayLimit');
  });

  test('without a fresh index nothing goes out: no request, no opening, no approval [HARD-101]', async () => {
    await ledger.seed(USER, '20000');
    const waiting = idOf(await usdt('1500'));
    wallet.silent = true;
    wallet.clock.advance(5_001);
    expect(await usdt()).toBe('market.stale');
    expect(await told(wallet.decide.approve(operator(2), { id: waiting, reason }))).toBe('market.stale');
    expect([await state(waiting), await number('ledger.payout')]).toEqual(['review', 0]);
    // It is back: the published view alone is enough.
    wallet.publish();
    expect(await usdt()).toBeInstanceOf(Notice);
    expect(await told(wallet.decide.approve(operator(2), { id: waiting, reason }))).toBeInstanceOf(Notice);
  });

  test('the feed stalls between call and opening: the hold comes back, nothing is sent [HARD-101]', async () => {
    await wallet.close();
    await ledger.seed(USER, '1000');
    const other = new Wallet(ledger);
    const asked = other.out();
    await eventually(async () => (await money())[1] === '150.00000000');
    other.silent = true;
    other.clock.advance(5_001);
    other.open();
    expect(await asked).toBe('market.stale');
    await eventually(async () => (await money())[1] === '0.00000000');
    expect([await number('ledger.withdrawal'), await number('ledger.payout')]).toEqual([0, 0]);
    await other.close();
  });

  test('a withdrawal under review is valued again at approval: dearer, it needs a second one [HARD-101]', async () => {
    const id = idOf(await btc('0.15'));
    expect((await wallet.decide.all(readFields(WithdrawalListQuery, {}), 'en')).data).toMatchObject([
      { value: '7500.00000000', approvals_needed: 1 },
    ]);
    PRICES[BTC] = '70000';
    wallet.publish();
    try {
      await eventually(async () => {
        const answer = await told(wallet.decide.approve(operator(2), { id, reason }));
        expect(answer).toMatchObject({ key: 'admin.secondNeeded' });
        return true;
      });
      expect((await wallet.decide.all(readFields(WithdrawalListQuery, {}), 'en')).data).toMatchObject([
        { state: 'review', value: '10500.00000000', approvals: 1, approvals_needed: 2 },
      ]);
      expect(await number(`ledger.withdrawal_day where used = 10500`)).toBe(1);
    } finally {
      PRICES[BTC] = '50000';
    }
    // Cheaper again, it still needs the second one.
    wallet.publish();
    expect(await told(wallet.decide.approve(operator(3), { id, reason }))).toMatchObject({
      key: 'admin.withdrawalApproved',
    });
  });
});

test('valued again, a withdrawal counts those opened before it and no later ones [WITHDRAW-034]', async () => {
  opened();
  await ledger.seed(USER, '1', BTC);
  const address = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';
  const ask = async (number: string): Promise<string> =>
    idOf(await wallet.out({ currency: String(BTC), number, type: '', address }));
  const approve = (id: string): Promise<Notice | string> => told(wallet.decide.approve(operator(2), { id, reason }));
  wallet.clock.advance(50);
  const first = await ask('0.17');
  wallet.clock.advance(-50);
  const second = await ask('0.02');
  wallet.clock.advance(50);
  const third = await ask('0.012');
  expect((await wallet.decide.all(readFields(WithdrawalListQuery, { state: 'review' }), 'en')).data).toHaveLength(3);
  expect(await approve(first)).toMatchObject({ key: 'admin.withdrawalApproved' });
  PRICES[BTC] = '80000';
  try {
    wallet.publish();
    // 8,500 of the first one and now 1,600.
    expect(await approve(second)).toMatchObject({ key: 'admin.secondNeeded' });
    expect(await number(`ledger.withdrawal where id in (${second}, ${third}) and approvals_needed = 2`)).toBe(2);
  } finally {
    PRICES[BTC] = '50000';
  }
});

describe('a freeze and the brake', () => {
  beforeEach(async () => {
    opened();
    await ledger.seed(USER, '30000');
  });

  test('a frozen person asks for nothing, gets nothing approved; the lists say why [HARD-307]', async () => {
    const waiting = idOf(await wallet.out({ number: '2000' }));
    wallet.auth.frozen = [USER];
    expect(await wallet.out()).toBe('auth.frozen');
    expect(await told(wallet.decide.approve(operator(2), { id: waiting, reason }))).toBe('auth.frozen');
    expect((await wallet.decide.all(readFields(WithdrawalListQuery, { state: 'review' }), 'en')).data).toMatchObject([
      { id: waiting, held: 'frozen', approvals: 0, reason: 'Held while the account is frozen' },
    ]);
    expect((await wallet.decide.ofUser(USER, readFields(CoinListQuery, {}), 'de')).data).toMatchObject([
      { id: waiting, state: 'review', reason: 'Angehalten, solange das Konto eingefroren ist' },
    ]);
    // The owner may still take it back.
    expect(await wallet.cancel(waiting)).toBeInstanceOf(Notice);
    wallet.auth.frozen = [];
    expect(await wallet.out()).toBeInstanceOf(Notice);
    expect((await wallet.decide.all(readFields(WithdrawalListQuery, {}), 'en')).data.map(({ held }) => held)).toEqual([
      '',
      '',
    ]);
  });

  test('a freeze returns unsigned withdrawals to review with their hold; signed ones complete [HARD-307]', async () => {
    const one = await lease();
    const signed = idOf(await wallet.out({ number: '100' }));
    await wallet.sender().round(one);
    const small = idOf(await wallet.out({ number: '200' }));
    wallet.clock.advance(1);
    const large = idOf(await wallet.out({ number: '12000' }));
    for (const who of [2, 3]) await wallet.decide.approve(operator(who), { id: large, reason });
    const before = await money();
    wallet.auth.frozen = [USER];
    for (let n = 0; n < 7; n++) {
      await wallet.sender().round(one);
      wallet.network.mine();
    }
    expect([await state(signed), await state(small), await state(large)]).toEqual(['done', 'review', 'review']);
    expect([small, large].map((id) => wallet.network.paid(`withdrawal:${id}`))).toEqual([0, 0]);
    await eventually(async () => (await money())[1] === `${Number(before[1]) - 100}.00000000`);
    const listed = (await wallet.decide.all(readFields(WithdrawalListQuery, { state: 'review' }), 'en')).data;
    expect(listed).toHaveLength(2);
    expect(listed.find(({ id }) => id === large)).toMatchObject({ approvals: 0, approvals_needed: 2, held: 'frozen' });
    expect(listed.find(({ id }) => id === small)).toMatchObject({ approvals: 0, approvals_needed: 1, held: 'frozen' });
    const held = wallet.events.filter(({ event }) => event === 'withdrawal.held');
    expect(held).toHaveLength(2);
    for (const id of [small, large])
      expect(held).toContainEqual(expect.objectContaining({ withdrawal_id: id, user_id: USER, reason: 'frozen' }));
    // After it operators decide, as about any other.
    wallet.auth.frozen = [];
    expect(await told(wallet.decide.approve(operator(2), { id: small, reason }))).toMatchObject({
      key: 'admin.withdrawalApproved',
    });
    expect(await wallet.reject(2, large)).toBeInstanceOf(Notice);
    for (let n = 0; n < 7; n++) {
      await wallet.sender().round(one);
      wallet.network.mine();
    }
    expect([await state(small), wallet.network.paid(`withdrawal:${small}`)]).toEqual(['done', 1]);
  });

  test('the approval after a return to review is an entry of its own in the trail [WITHDRAW-033]', async () => {
    const id = idOf(await wallet.out({ number: '2000' }));
    const one = await lease();
    for (let n = 0; n < 2; n++) {
      await wallet.decide.approve(operator(2), { id, reason });
      wallet.auth.frozen = [USER];
      await wallet.sender().round(one);
      expect(await state(id)).toBe('review');
      wallet.auth.frozen = [];
    }
    await wallet.reject(2, id);
    const trail = (await actions()).map(({ body }) => body as { id: string; action: string });
    expect(trail.map(({ action }) => action)).toEqual([
      'withdrawals.approve',
      'withdrawals.approve',
      'withdrawals.reject',
    ]);
    // The gateway stores one entry for each id.
    expect(new Set(trail.map((entry) => entry.id)).size).toBe(3);
  });

  test('the brake holds accepted, unsigned withdrawals, shows it, and ends by itself [HARD-307]', async () => {
    const one = await lease();
    const id = idOf(await wallet.out());
    wallet.stopped = true;
    await wallet.sender().round(one);
    expect(wallet.network.sends).toEqual([]);
    expect((await wallet.decide.all(readFields(WithdrawalListQuery, {}), 'en')).data).toMatchObject([
      { id, state: 'sending', held: 'brake', reason: 'Held: withdrawals are paused' },
    ]);
    wallet.stopped = false;
    await wallet.sender().round(one);
    expect(wallet.network.sends).toEqual(['tx-1']);
    expect((await wallet.decide.all(readFields(WithdrawalListQuery, {}), 'en')).data).toMatchObject([
      { id, held: '', reason: '' },
    ]);
  });

  test('one that the chain would refuse is reviewed, and signed after an approval only [WITHDRAW-035]', async () => {
    const one = await lease();
    const [id, other] = [idOf(await wallet.out()), idOf(await wallet.out({ number: '20' }))];
    wallet.network.refused = new Set([`withdrawal:${id}`]);
    const before = await money();
    for (let n = 0; n < 2; n++) await wallet.sender().round(one);
    expect([await state(id), await state(other)]).toEqual(['review', 'sending']);
    expect([wallet.network.signatures, await money()]).toEqual([1, before]);
    const shown = 'the payment would fail now: execution reverted';
    expect((await wallet.decide.all(readFields(WithdrawalListQuery, { state: 'review' }), 'en')).data).toMatchObject([
      { id, approvals: 0, approvals_needed: 1, reason: shown },
    ]);
    expect(wallet.events.at(-1)).toMatchObject({ event: 'withdrawal.held', withdrawal_id: id, reason: 'refused' });
    // An operator who has read it decides that it goes out: what the chain does with it is known then.
    await wallet.decide.approve(operator(2), { id, reason, updatedTs: await seenAt(id) });
    await wallet.sender().round(one);
    expect([await state(id), wallet.network.signatures]).toEqual(['sending', 2]);
  });

  test('one refused since an operator looked at it is not approved by that operator [WITHDRAW-036]', async () => {
    const one = await lease();
    const id = idOf(await wallet.out({ number: '2000' }));
    const seen = await seenAt(id);
    wallet.clock.advance(1);
    await wallet.decide.approve(operator(2), { id, reason, approvals: 0, updatedTs: seen });
    wallet.network.refused = new Set([`withdrawal:${id}`]);
    await wallet.sender().round(one);
    expect(await state(id)).toBe('review');
    for (const updatedTs of [{ updatedTs: seen }, {}])
      await expect(
        wallet.decide.approve(operator(3), { id, reason, approvals: 0, ...updatedTs }),
      ).rejects.toMatchObject({ key: 'wallet.state', options: { field: 'updated_ts' } });
    await wallet.sender().round(one);
    expect([await state(id), wallet.network.signatures]).toEqual(['review', 0]);
    await wallet.decide.approve(operator(3), { id, reason, approvals: 0, updatedTs: await seenAt(id) });
    await wallet.sender().round(one);
    expect([await state(id), wallet.network.signatures]).toEqual(['sending', 1]);
  });

  test('each step leaves an event with its person, without a password [HARD-206]', async () => {
    const [first, second, third] = [
      idOf(await wallet.out({ number: '2000' })),
      idOf(await wallet.out({ number: '3000' })),
      idOf(await wallet.out({ number: '4000' })),
    ];
    await wallet.cancel(first);
    await wallet.decide.approve(operator(2), { id: second, reason });
    await wallet.reject(2, third);
    expect(wallet.events.map(({ event, withdrawal_id: id, user_id: user }) => [event, id, user])).toEqual([
      ['withdrawal.requested', first, USER],
      ['withdrawal.requested', second, USER],
      ['withdrawal.requested', third, USER],
      ['withdrawal.cancelled', first, USER],
      ['withdrawal.approved', second, USER],
      ['withdrawal.rejected', third, USER],
    ]);
    expect(JSON.stringify(wallet.events)).not.toContain('fund66');
  });
});

test('after a restore unsigned payments are reviewed, held, or ordered again, not signed [WITHDRAW-024]', async () => {
  opened();
  await ledger.seed(USER, '30000');
  const looks = {
    query: <R>(sql: string, params?: readonly unknown[]): Promise<R[]> =>
      db.query(sql, params as unknown[]) as Promise<R[]>,
  };
  const one = await lease();
  const signed = idOf(await wallet.out());
  await wallet.sender().round(one);
  const small = idOf(await wallet.out({ number: '100' }));
  wallet.clock.advance(1);
  const large = idOf(await wallet.out({ number: '10000' }));
  for (const who of [2, 3]) await wallet.decide.approve(operator(who), { id: large, reason });
  // A deposit that is returned for the second time, one of nobody, and movements of the house.
  await db.query(
    `insert into ledger.deposit (id, network_id, chain, contract, tx_id, output, address, memo, user_id, currency_id,
      amount, chain_amount, height, state, confirmations_needed, seen_at, updated_at, return_attempts, return_value,
      return_day)
     select id, 3, 'ethereum', '', 'tx' || id, 0, 'a', '', owner, ${USDT}, 60, 60, 1, 'returning', 2, now(), now(),
       tries, value, day::date
     from (values (71, ${USER}, 2, 60, '2026-01-02'), (72, null, 1, 0, null)) d (id, owner, tries, value, day)`,
  );
  await db.query(
    `insert into ledger.payout (reference, user_id, chain, address, memo, contract, amount, confirmations_needed, state)
      values ('deposit:71:2', ${USER}, 'ethereum', 'b', '', '', 60, 2, 'waiting'),
        ('deposit:72', null, 'ethereum', 'b', '', '', 60, 2, 'waiting'),
        ('gas:1:a', null, 'ethereum', 'c', '', '', 1, 2, 'waiting'),
        ('cold:3:a', null, 'ethereum', 'c', '', '', 1, 2, 'waiting')`,
  );
  await db.query(`insert into ledger.withdrawal_day (user_id, day, used) values (${USER}, '2026-01-02', 75)`);
  expect(await openPayments(looks)).toEqual({
    review: [`withdrawal:${small}`, `withdrawal:${large}`],
    returns: ['deposit:71:2', 'deposit:72'],
    house: ['cold:3:a', 'gas:1:a'],
    signed: [`withdrawal:${signed}`],
  });
  const before = await money();
  await takeBackUnsigned(looks);
  expect(await openPayments(looks)).toMatchObject({ review: [], returns: [], house: [] });
  expect(await db.query('select id::text, state from ledger.deposit order by id')).toEqual([
    { id: '71', state: 'held' },
    { id: '72', state: 'held' },
  ]);
  expect(
    await db.query(`select trim_scale(used)::text as used from ledger.withdrawal_day where day = '2026-01-02'`),
  ).toEqual([{ used: '15' }]);
  expect([await state(signed), await state(large), await state(small), await money()]).toEqual([
    'sending',
    'review',
    'review',
    before,
  ]);
  const waiting = (await wallet.decide.all(readFields(WithdrawalListQuery, { state: 'review' }), 'en')).data;
  expect([large, small].map((id) => waiting.find((row) => row.id === id))).toMatchObject([
    { approvals: 0, approvals_needed: 2 },
    { approvals: 0, approvals_needed: 1 },
  ]);
  expect(await told(wallet.decide.approve(operator(2), { id: small, reason }))).toMatchObject({
    key: 'admin.withdrawalApproved',
  });
  expect(await wallet.reject(2, large)).toMatchObject({
    key: 'admin.withdrawalRejected',
  });
  for (let n = 0; n < 8; n++) {
    await wallet.sender().round(one);
    wallet.network.mine();
  }
  await eventually(async () => (await money())[1] === '0.00000000');
  expect([await state(signed), await state(small), await money()]).toEqual([
    'done',
    'done',
    ['29750.00000000', '0.00000000'],
  ]);
  expect([signed, large, small].map((id) => wallet.network.paid(`withdrawal:${id}`))).toEqual([1, 0, 1]);
  await loadNetworks(ledger.database, { networkOverrides: {} });
  // The statement by which an operator gives a held deposit the payment that was made since.
  const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(readFileSync('docs/recovery.md', 'utf8')) ?? [];
  await db.query(
    sql
      .replaceAll(/:'(tx|spend)'/g, (_, name: string) => `'${name === 'tx' ? 'made' : 'nonce:hot:77'}'`)
      .replace(':deposit', '71'),
  );
  expect(await wallet.payoutStore.open('ethereum', 10)).toMatchObject([
    { reference: 'deposit:71:2', amount: 60n * 10n ** 6n, signatures: [{ txId: 'made', spends: ['nonce:hot:77'] }] },
  ]);
});

describe('answers', () => {
  test('the same key gets the first answer again, with one hold; another body is refused [WITHDRAW-020]', async () => {
    opened();
    await ledger.seed(USER, '1000');
    const key = { commandId: 'key-1', hasKey: true };
    const first = await wallet.out({}, key);
    expect(await wallet.out({}, key)).toEqual(first);
    expect(await wallet.out({ number: '151' }, { ...key, bodyHash: 'other' })).toBe('common.keyReused');
    expect(await money()).toEqual(['850.00000000', '150.00000000']);
    expect(await wallet.commandAnswers.find('key-1')).toMatchObject({
      ok: true,
      answer: { type: 'ok', key: 'wallet.outSubmitted', extra: { id: idOf(first) } },
    });
    const refused = await wallet.out({ number: '5000' }, { commandId: 'key-2', hasKey: true });
    await ledger.seed(USER, '9000', USDT, 'legal');
    expect([refused, await wallet.out({ number: '5000' }, { commandId: 'key-2', hasKey: true })]).toEqual([
      'balance.insufficient',
      'balance.insufficient',
    ]);
  });

  test('an unopened withdrawal is pending, never requested twice, and found once decided [WITHDRAW-021]', async () => {
    await ledger.seed(USER, '1000');
    const key = { commandId: 'key-1', hasKey: true, validUntil: Date.now() + 300 };
    expect(await wallet.out({}, key)).toBe('common.processing');
    expect(await wallet.out({}, key)).toBe('common.processing');
    await expect(wallet.commandAnswers.find('key-1')).rejects.toThrow('not decided');
    // The first call is long dead: its command's outcome is the answer, whatever auth would say now.
    await db.query(`update ledger.answers set created_at = now() - interval '1 hour'`);
    wallet.auth.totp = { ok: false, key: 'login.totpWrong' };
    const again = wallet.out({}, { ...key, validUntil: callDeadline() });
    opened();
    const id = idOf(await again);
    expect([await money(), await number('ledger.withdrawal')]).toEqual([['850.00000000', '150.00000000'], 1]);
    expect(await wallet.commandAnswers.find('key-1')).toMatchObject({ ok: true, answer: { extra: { id } } });
    expect(idOf(await wallet.out({}, key))).toBe(id);
  });

  test('one refused when it was opened is requested again under its key when that is free [WITHDRAW-037]', async () => {
    await ledger.seed(USER, '1000');
    const key = { commandId: 'key-1', hasKey: true };
    const first = wallet.out({}, key);
    await eventually(async () => (await money())[1] === '150.00000000');
    wallet.settings.set(DAY_LIMIT, toUnits('100', USD_SCALE));
    opened();
    expect([await first, await wallet.out({}, key)]).toEqual(['wallet.dayLimit', 'wallet.dayLimit']);
    await eventually(async () => (await money())[1] === '0.00000000');
    // An hour later.
    await db.query(`update ledger.answers set until = until - interval '61 minutes' where command_id = 'key-1'`);
    expect(await wallet.commandAnswers.find('key-1')).toBeNull();
    wallet.settings.set(DAY_LIMIT, toUnits('1000', USD_SCALE));
    const again = { ...key, bodyHash: 'other' };
    const id = idOf(await wallet.out({ number: '140' }, again));
    expect(idOf(await wallet.out({ number: '140' }, again))).toBe(id);
    expect([await money(), await number('ledger.withdrawal')]).toEqual([['860.00000000', '140.00000000'], 1]);
    expect(await wallet.commandAnswers.find('key-1')).toMatchObject({ ok: true, answer: { extra: { id } } });
  });

  test('a call that arrives twice is held once [WITHDRAW-021]', async () => {
    opened();
    await ledger.seed(USER, '1000');
    const answers = await Promise.all([1, 2, 3].map(() => wallet.out({}, { commandId: 'edge-1' })));
    expect(answers.filter((one) => typeof one !== 'string')).toHaveLength(1);
    expect(answers.filter((one) => one === 'common.processing')).toHaveLength(2);
    expect(await money()).toEqual(['850.00000000', '150.00000000']);
  });
});

describe('the checks, in their order', () => {
  test('fields, fund password, authenticator, block, limit, balance [WITHDRAW-005]', async () => {
    opened();
    await ledger.seed(USER, '100');
    wallet.auth.blockedUntil = wallet.clock.now() + 1_000;
    wallet.auth.totp = { ok: false, key: 'login.totpRequired' };
    const wrong: FieldRecord = { address: '', number: '0', currency: String(USDT), type: '99', pay_password: '' };
    const steps: [FieldRecord, string][] = [
      [{}, 'wallet.addressRequired'],
      [{ address: 'nowhere' }, 'wallet.numberRequired'],
      [{ number: '9.99999999' }, 'wallet.lessMin'],
      [{ number: '15' }, 'wallet.protocol'],
      [{ type: String(ERC20) }, 'wallet.lessMin'],
      [{ number: '200000' }, 'wallet.addressInvalid'],
      [{ address: '0xdAC17F958D2ee523a2206206994597C13D831ec7' }, 'wallet.addressInvalid'],
      [{ address: ADDRESS }, 'fund.required'],
      [{ pay_password: 'wrong6' }, 'fund.wrong'],
      [{ pay_password: 'fund66' }, 'login.totpRequired'],
    ];
    let fields = wrong;
    for (const [right, key] of steps) {
      fields = { ...fields, ...right };
      expect([fields, await wallet.out(fields)]).toEqual([fields, key]);
    }
    wallet.auth.totp = { ok: true };
    expect(await wallet.out(fields)).toBe('wallet.blocked');
    wallet.auth.blockedUntil = wallet.clock.now();
    expect(await wallet.out(fields)).toBe('wallet.dayLimit');
    expect(await wallet.out({ ...fields, number: '100000' })).toBe('balance.insufficient');
    expect(await number(`ledger.hold`)).toBe(0);
  });

  test('a memo where the network has one; coins without a network here cannot go [WITHDRAW-006]', async () => {
    for (const currency of ['4', '8'])
      expect(await wallet.out({ currency, type: '', number: '100' })).toBe('wallet.protocol');
    expect(await wallet.out({ currency: '99' })).toBe('common.notFound');
    expect(await wallet.out({ number: '150.123456789' })).toBe('common.fieldInvalid');
  });

  test('a chain whose booked deposits are in no block pays nothing; another one does [WITHDRAW-022]', async () => {
    opened();
    await ledger.seed(USER, '400');
    wallet.closed = 'ethereum';
    await expect(wallet.out()).rejects.toThrow(Unavailable);
    expect(await money()).toEqual(['400.00000000', '0.00000000']);
    wallet.closed = 'tron';
    expect(idOf(await wallet.out())).toMatch(/^\d+$/);
  });
});

describe('bound addresses', () => {
  const signed = (address = ADDRESS, code = '123456', more: FieldRecord = {}): { data: string; signature: string } =>
    wallet.addresses.sign(
      USER,
      readFields(SignAddressBody, { address, coin_name: 'USDT', verification_code: code, ...more }),
    );
  const bind = ({ data, signature }: { data: string; signature: string }): ReturnType<BoundAddresses['bind']> =>
    wallet.addresses.bind(USER, data, signature);

  test('from the first binding to 24 h after the last removal only bound ones are paid [ADDRESS-010]', async () => {
    opened();
    await ledger.seed(USER, '10000');
    expect(await wallet.out()).toBeInstanceOf(Notice);
    const bound = await bind(signed());
    expect(bound).toMatchObject({ address_id: expect.any(Number) });
    expect(await wallet.out({ address: OTHER })).toBe('wallet.addressNotBound');
    expect(await wallet.out()).toBe('wallet.addressCooling');
    wallet.clock.setOffset(DAY - 1);
    expect(await wallet.out()).toBe('wallet.addressCooling');
    wallet.clock.setOffset(DAY);
    expect(await wallet.out({ address: ADDRESS.toLowerCase() })).toBeInstanceOf(Notice);
    // Another network of the same coin is restricted too; another coin is not.
    expect(await wallet.out({ address: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7', type: '4' })).toBe(
      'wallet.addressNotBound',
    );
    await wallet.addresses.remove(USER, (bound as { address_id: number }).address_id);
    expect(await wallet.out()).toBe('wallet.addressNotBound');
    wallet.clock.setOffset(2 * DAY - 1);
    expect(await wallet.out()).toBe('wallet.addressNotBound');
    wallet.clock.setOffset(2 * DAY);
    expect(await wallet.out({ address: OTHER })).toBeInstanceOf(Notice);
  });

  test('wait as long as an operator has set; those bound before keep their time [SETTING-033]', async () => {
    opened();
    await ledger.seed(USER, '10000');
    await bind(signed());
    wallet.settings.set(ADDRESS_WAIT, 2);
    await bind(signed(OTHER));
    wallet.clock.setOffset(2 * 3_600_000 - 1);
    expect(await wallet.out({ address: OTHER })).toBe('wallet.addressCooling');
    wallet.clock.setOffset(2 * 3_600_000);
    expect(await wallet.out({ address: OTHER })).toBeInstanceOf(Notice);
    expect(await wallet.out()).toBe('wallet.addressCooling');
  });

  test('are listed newest first, removed by their owner, and bound once [ADDRESS-011]', async () => {
    const first = await bind(signed());
    const second = await bind(signed(OTHER));
    expect(await bind(signed(ADDRESS.toLowerCase()))).toEqual(first);
    expect((await wallet.addresses.list(USER, USDT)).map(({ address_id, address }) => [address_id, address])).toEqual([
      [(second as { address_id: number }).address_id, OTHER],
      [(first as { address_id: number }).address_id, ADDRESS],
    ]);
    expect(await wallet.addresses.draw(USER, 'USDT', '')).toMatchObject({
      user_id: USER,
      coin_name: 'USDT',
      contract_address: '',
      address: OTHER,
      memo: '',
      list: [{ type: ERC20 }, { coin_name: 'USDT', currency: USDT }],
    });
    expect(await wallet.addresses.draw(USER, 'USDT', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toMatchObject({
      address: '',
      list: [],
    });
    await expect(wallet.addresses.remove(100_002, (first as { address_id: number }).address_id)).rejects.toMatchObject({
      key: 'common.notFound',
    });
    await wallet.addresses.remove(USER, (first as { address_id: number }).address_id);
    await expect(wallet.addresses.remove(USER, (first as { address_id: number }).address_id)).rejects.toMatchObject({
      key: 'common.notFound',
    });
    expect(await wallet.addresses.list(USER, USDT)).toHaveLength(1);
  });

  test('each code of the middleware has its cause [ADDRESS-012]', async () => {
    const good = signed();
    expect(await wallet.addresses.bind(100_002, good.data, good.signature)).toMatchObject({ code: 1 });
    expect(await wallet.addresses.bind(USER, undefined, good.signature)).toMatchObject({ code: 1 });
    expect(await wallet.addresses.bind(USER, '{}', good.signature)).toMatchObject({ code: 1 });
    expect(
      await wallet.addresses.bind(USER, good.data, `0${good.signature.slice(1)}`.replace(good.signature, 'x')),
    ).toMatchObject({ code: 2 });
    expect(await wallet.addresses.bind(USER, good.data.replace(ADDRESS, OTHER), good.signature)).toMatchObject({
      code: 2,
    });
    wallet.clock.advance(60_001);
    expect(await bind(good)).toMatchObject({ code: 3 });
    const inTime = signed();
    wallet.clock.advance(60_000);
    expect(await bind(inTime)).toMatchObject({ address_id: expect.any(Number) });
    expect(await bind(inTime)).toMatchObject({ code: 2 });
    expect(await bind(signed(ADDRESS, '000000'))).toMatchObject({ code: 4, key: 'code.wrong' });
    // Signed with the right secret, but without an address.
    const { signDraw } = await import('../../../src/wallet/addresses/application/draw-signature.js');
    const forged = {
      user_id: String(USER),
      address: 'nowhere',
      coin_name: 'USDT',
      contract_address: '',
      memo: '',
      verification_code: '123456',
      timestamp: String(wallet.clock.real()),
    };
    expect(await bind({ data: JSON.stringify(forged), signature: signDraw(forged, 'demo-secret') })).toMatchObject({
      code: 5,
    });
  });

  test('only an address that can be bound is signed [ADDRESS-013]', async () => {
    expect(() => signed('')).toThrow('wallet.addressRequired');
    expect(() => signed('nowhere')).toThrow('wallet.addressInvalid');
    expect(() => signed(ADDRESS, '')).toThrow('set.enterCode');
    expect(() => signed(ADDRESS, '1', { coin_name: 'NONE' })).toThrow('common.notFound');
    expect(() => signed(ADDRESS, '1', { contract_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' })).toThrow(
      'wallet.addressInvalid',
    );
  });
});

describe('payouts in their tables', () => {
  const settled: string[] = [];
  const owe = (...references: string[]): Promise<void> =>
    ledger.database.transaction(async (tx) => {
      for (const reference of references)
        await wallet.payoutStore.enqueue(tx, {
          reference,
          userId: null,
          chain: 'ethereum',
          to: ADDRESS,
          memo: '',
          contract: '',
          amount: 10n ** 26n,
          confirmations: 2,
        });
    });
  beforeEach(() => {
    settled.length = 0;
    wallet.settlers.set('test', async (tx, reference, { state: how }) => {
      tx.afterCommit(() => settled.push(`${reference} ${how}`));
    });
  });

  test('killed before and after every await, no payment is made twice and each ends once [PAYOUT-010]', async () => {
    const run = async (name: string, fuse: FaultInjector): Promise<void> => {
      await owe(`test:${name}a`, `test:${name}b`);
      let mine = fuse;
      for (let n = 0; n < 9 && settled.filter((one) => one.startsWith(`test:${name}`)).length < 2; n++) {
        const one = await lease(`${name}-${n}`);
        await wallet
          .sender(mine)
          .round(one)
          .catch((error: unknown) => {
            if (!mine.blown) throw error;
          });
        if (mine.blown) mine = new FaultInjector();
        wallet.network.mine();
      }
      expect([
        name,
        wallet.network.paid(`test:${name}a`),
        wallet.network.paid(`test:${name}b`),
        settled.filter((one) => one.startsWith(`test:${name}`)).sort(),
      ]).toEqual([name, 1, 1, [`test:${name}a done`, `test:${name}b done`]]);
    };
    const counting = new FaultInjector();
    await run('count', counting);
    expect(counting.steps).toBeGreaterThan(12);
    for (let at = 1; at <= counting.steps; at++)
      for (const afterwards of [false, true])
        await run(`${at}${afterwards ? 'after' : 'before'}`, new FaultInjector(at, afterwards));
    expect(await number(`ledger.payout where state <> 'done'`)).toBe(0);
  });

  test('an instance that was overtaken while it signed stores nothing and sends nothing [PAYOUT-011]', async () => {
    await owe('test:1');
    const before = await lease('slow');
    let signedUp: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const signing = new Promise<void>((resolve) => {
      signedUp = resolve;
    });
    const slow = new FakeChain(wallet.network);
    const sign = slow.sign.bind(slow);
    slow.sign = async (...args) => {
      const result = await sign(...args);
      signedUp();
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return result;
    };
    const overtaken = wallet.sender(new FaultInjector(), slow).round(before);
    await signing;
    await wallet.sender().round(await lease('quick'));
    goOn();
    await expect(overtaken).rejects.toBeInstanceOf(Fenced);
    expect(wallet.network.sends).toEqual(['tx-2']);
    expect(await db.query('select tx_id, spends from ledger.payout_signature')).toEqual([
      { tx_id: 'tx-2', spends: ['nonce:hot:0'] },
    ]);
  });

  test('spends of one payout are signed by no other; a signature is stored whole or not [PAYOUT-012]', async () => {
    await owe('test:1', 'test:2');
    const one = await lease();
    const signature = (txId: string, attempt = 0) => ({
      attempt,
      txId,
      bytes: 'b',
      spends: ['output:a:0', 'output:a:1'],
      networkFee: 5n,
      at: 1,
    });
    await wallet.payoutStore.sign(one, { reference: 'test:1', chain: 'ethereum' }, signature('t1'));
    await expect(
      wallet.payoutStore.sign(
        one,
        { reference: 'test:2', chain: 'ethereum' },
        { ...signature('t2'), spends: ['output:a:1', 'output:b:0'] },
      ),
    ).rejects.toThrow('another payout');
    await expect(
      wallet.payoutStore.sign(one, { reference: 'test:1', chain: 'ethereum' }, signature('t3')),
    ).rejects.toThrow('not open');
    await expect(
      wallet.payoutStore.sign(one, { reference: 'test:1', chain: 'ethereum' }, signature('t3', 2)),
    ).rejects.toThrow('signatures');
    expect([...(await wallet.payoutStore.reserved('ethereum'))].sort()).toEqual(['output:a:0', 'output:a:1']);
    expect(await wallet.payoutStore.open('ethereum', 10)).toMatchObject([
      {
        reference: 'test:1',
        amount: 10n ** 26n,
        signatures: [{ txId: 't1', spends: ['output:a:0', 'output:a:1'], networkFee: 5n }],
      },
      { reference: 'test:2', signatures: [] },
    ]);
    await wallet.payoutStore.end(
      one,
      { reference: 'test:1', chain: 'ethereum' },
      { state: 'failed', reason: 'gone' },
      async () => undefined,
    );
    await expect(
      wallet.payoutStore.end(
        one,
        { reference: 'test:1', chain: 'ethereum' },
        { state: 'failed', reason: 'gone' },
        async () => undefined,
      ),
    ).rejects.toThrow('ended');
    expect([...(await wallet.payoutStore.reserved('ethereum'))]).toEqual([]);
  });

  test('payments of one contract keep back no others; signed ones and the house come first [PAYOUT-014]', async () => {
    await db.query(
      `insert into ledger.payout (reference, chain, address, memo, contract, amount, confirmations_needed, created_at)
        select 'test:' || n, 'ethereum', $1, '', '0xtoken', 5, 2, now() - interval '1 hour'
        from generate_series(101, 105) n`,
      [ADDRESS],
    );
    await owe('test:1', 'gas:7:a', 'cold:3:a');
    await owe('test:2');
    const one = await lease();
    const signature = { attempt: 0, txId: 't', bytes: 'b', spends: ['nonce:hot:0'], networkFee: 5n, at: 1 };
    await wallet.payoutStore.sign(one, { reference: 'test:2', chain: 'ethereum' }, signature);
    expect((await wallet.payoutStore.open('ethereum', 2)).map(({ reference }) => reference)).toEqual([
      'test:2',
      'cold:3:a',
      'gas:7:a',
      'test:101',
      'test:102',
      'test:1',
    ]);
    expect((await wallet.payoutStore.ofHouse('ethereum')).map(({ reference }) => reference).sort()).toEqual([
      'cold:3:a',
      'gas:7:a',
    ]);
    expect([...(await wallet.payoutStore.owed('ethereum'))].sort()).toEqual([
      ['', 4n * 10n ** 26n],
      ['0xtoken', 25n],
    ]);
  });

  test('of two instances one runs at a time; the other takes over when it stops [PAYOUT-013]', async () => {
    const running: string[] = [];
    const runner = (name: string): SingleRunner => {
      const one = new SingleRunner(ledger.database, 'chain.sender.two', name);
      one.start(async ({ signal }) => {
        running.push(name);
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        running.splice(running.indexOf(name), 1);
      });
      return one;
    };
    const [a, b] = [runner('a'), runner('b')];
    const first = await eventually(() => running[0]);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(running).toEqual([first]);
    await (first === 'a' ? a : b).stop();
    expect(await eventually(() => running[0])).toBe(first === 'a' ? 'b' : 'a');
    await Promise.all([a.stop(), b.stop()]);
    expect(running).toEqual([]);
  });
});
