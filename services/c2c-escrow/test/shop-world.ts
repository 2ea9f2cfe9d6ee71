import { NO_OUT_STOPS, SEED_CURRENCIES, type CurrencyRow } from '@bourse/contract';
import { RESULT_TOPICS, TOPICS } from '@bourse/events';
import { Sagas } from '@bourse/ledger-client';
import {
  authAsks,
  FundGate,
  InProcessAsks,
  InProcessLog,
  InProcessReplies,
  Parties,
  type PartyFacts,
  type Reference,
} from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import { Timers } from '@bourse/persistence';
import { MemoryDatabases, MemoryServer } from '@bourse/persistence/memory';
import { Alarms, Notice, Refused, WrittenAmount, type CallContext, type Caller, type Clock } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { callDeadline, LedgerState, FakeLedger } from '@bourse/testing';
import type { C2cDatabase } from '../src/shared/application/database.js';
import { ShopClosing } from '../src/shops/application/closing.js';
import { ShopCatalog } from '../src/shops/application/catalog.js';
import { ShopAdmin } from '../src/shops/application/admin.js';
import type { CoinPrices } from '../src/shared/application/coin-prices.js';
import { MerchantBalances, type MerchantBalance } from '../src/shops/application/ports.js';
import { ShopViews } from '../src/shops/application/views.js';
import { Shops } from '../src/shops/application/shops.js';
import type { Shop } from '../src/shops/domain/shop.js';
import { SHOP, SimulatedShops } from '../src/simulation/shop-stores.js';

export const SELLER = 100_020;
export const [BTC, USDT] = [1, 3];
const SERVICE = 'c2c-escrow';

/** Merchant balances of the fake ledger. */
class StateBalances extends MerchantBalances {
  constructor(private readonly state: LedgerState) {
    super();
  }
  findBalances(userId: number): Promise<(currencyId: number) => MerchantBalance> {
    return Promise.resolve((currencyId) => ({
      available: this.state.balances.get(`${userId}.merchant ${currencyId}`) ?? 0n,
      held: 0n,
    }));
  }
}

/** Shops over tables in memory and a fake ledger. */
export class ShopWorld {
  readonly server = new MemoryServer();
  readonly ledger = new LedgerState();
  readonly settings = new FixedSettings();
  readonly roles: { userId: number; isSeller?: boolean }[] = [];
  /** USDT for one BTC; null: no fresh price. */
  price: string | null = '50000';
  private readonly databases = new MemoryDatabases(this.server);
  private readonly log = new InProcessLog(
    {
      instance: 'one',
      alarms: new Alarms(),
      partitions: {
        [TOPICS.ledgerCommands]: 1,
        [TOPICS.operatorActions]: 1,
        ...Object.fromEntries(RESULT_TOPICS.map((topic) => [topic, 1])),
      },
    },
    this.databases,
  );
  private readonly replies = new InProcessReplies('one');
  private readonly asks = new InProcessAsks();
  readonly fakeLedger = new FakeLedger(this.ledger, this.log, this.replies, this.asks, this.databases);
  private readonly sagas = new Sagas({
    service: SERVICE,
    database: this.databases.at('escrow'),
    log: this.log,
    replies: this.replies,
    clock: { real: () => Date.now(), offset: () => this.ahead },
    alarms: new Alarms(),
    partitions: 1,
  });
  readonly store: SimulatedShops;
  readonly views: ShopViews;
  readonly catalog: ShopCatalog;
  readonly shops: Shops;
  readonly admin: ShopAdmin;
  readonly closing: ShopClosing;
  readonly timers: Timers;
  /** How far the business clock is ahead, ms. */
  ahead = 0;
  /** Auth is unavailable. */
  isAuthAway = false;
  /** Runs once, while auth is asked for the next change of a role. */
  duringRole: (() => Promise<unknown>) | null = null;
  /** Runs once, after auth has changed a role. */
  afterRole: (() => Promise<unknown>) | null = null;

  constructor() {
    const clock = { now: () => Date.now() + this.ahead, real: () => Date.now() } as unknown as Clock;
    const reference = {
      get: (_kind: string, id: string) => SEED_CURRENCIES.find((row) => String(row.id) === id),
      all: () => SEED_CURRENCIES as readonly CurrencyRow[],
    } as unknown as Reference;
    const prices: CoinPrices = { findUsdtPrice: () => this.price };
    const store = (this.store = new SimulatedShops(this.databases.at('escrow')));
    const views = (this.views = new ShopViews(store, new StateBalances(this.ledger), reference, clock));
    this.asks.handle(authAsks.role, async (asked) => {
      if (this.isAuthAway) throw new Error('away');
      const [during, after] = [this.duringRole, this.afterRole];
      [this.duringRole, this.afterRole] = [null, null];
      await during?.();
      this.roles.push({ userId: asked.userId, ...(asked.isSeller === undefined ? {} : { isSeller: asked.isSeller }) });
      await after?.();
      return null;
    });
    this.asks.handle(authAsks.parties, ({ userIds }) =>
      Promise.resolve(userIds.map((userId) => ({ userId, isSeller: this.isSeller(userId) }) as PartyFacts)),
    );
    this.catalog = new ShopCatalog(reference, this.settings, prices);
    const fund = new FundGate((_, password) =>
      Promise.resolve(password === 'fund66' ? { ok: true } : { ok: false, key: 'fund.wrong', params: { left: 4 } }),
    );
    let number = 0;
    const ids = { next: () => String((number += 1)) };
    const { commands } = this.sagas;
    this.shops = new Shops(this.sagas, commands, store, views, this.catalog, fund, clock, ids);
    const database = this.databases.at('escrow') as unknown as C2cDatabase;
    const parties = new Parties(this.asks);
    this.timers = new Timers(this.databases.at('escrow'), clock);
    this.admin = new ShopAdmin(this.sagas, commands, store, views, this.catalog, parties, this.timers, clock);
    this.closing = new ShopClosing(
      ...([
        this.sagas,
        commands,
        database,
        this.shops,
        store,
        views,
        this.catalog,
        fund,
        parties,
        this.timers,
        clock,
        ids,
      ] as const),
    );
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

  /** Stores a row of another product. */
  put(table: string, row: object, key = 'row'): Promise<void> {
    return this.databases.at('escrow').statement('put', async (at) => {
      await at.lock(table, key);
      await at.put(table, key, row);
    });
  }
  /** The role of a person in auth. */
  isSeller(userId = SELLER): boolean {
    return this.roles.findLast((each) => each.userId === userId)?.isSeller ?? false;
  }
  rows(): readonly Shop[] {
    return this.server.rows<Shop>(SHOP);
  }
  give(account: string, currency: number, amount: string, user = SELLER): void {
    this.ledger.add(`${user}.${account}`, currency, toUnits(amount, 8));
  }
  balanceOf(account: string, currency = USDT, user = SELLER): bigint {
    return this.ledger.balances.get(`${user}.${account} ${currency}`) ?? 0n;
  }

  apply(
    fields: Partial<Parameters<Shops['apply']>[1]> = {},
    context = createContext(),
    user = SELLER,
  ): Promise<Notice> {
    const given = { name: 'Harbour Desk', currencyId: USDT, level: 'verified', password: 'fund66' } as const;
    return this.shops.apply(user, { ...given, ...fields }, context);
  }
  decide(id: number, pass: boolean, level?: 'verified' | 'advanced', context = createContext()): Promise<Notice> {
    return this.admin.decide(OPERATOR, { id, pass, level, reason: 'papers are right' }, context);
  }
  close(shopId: number, caller = seller(), context = createContext()): Promise<Notice> {
    return this.closing.close(caller, { shopId, password: 'fund66' }, context);
  }
  transfer(shopId: number, direction: 'in' | 'out', number: string, caller = seller()): Promise<Notice> {
    const amount = new WrittenAmount(number, 'number', {});
    return this.shops.transfer(caller, { shopId, direction, number: amount, password: 'fund66' }, createContext());
  }
}

const OPERATOR = { userId: 101, accountNumber: 'support1', kind: 'operator' } as Caller;
export const seller = (userId = SELLER, isSeller = true): Caller => ({ userId, isSeller }) as Caller;
let calls = 0;
export const createContext = (commandId: string = `c${(calls += 1)}`): CallContext =>
  ({
    ...{ commandId, hasKey: true, bodyHash: 'body', validUntil: callDeadline() },
    outStops: NO_OUT_STOPS,
  }) as CallContext;
export const toKey = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (answer) => (answer instanceof Notice ? answer.key : answer),
    (error: unknown) => (error instanceof Refused ? error.key : error),
  );
