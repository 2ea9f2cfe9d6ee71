import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SEED_CURRENCIES, SEED_PAIRS } from '@bourse/contract';
import { available, MarketTickV1, resultsTopic, TOPICS, type Message } from '@bourse/events';
import { percent } from '@bourse/formulas';
import { Sagas } from '@bourse/ledger-client';
import { InProcessAsks, InProcessLog, InProcessReplies, type Reference } from '@bourse/messaging';
import type { Database, PostgresDatabases, Tx } from '@bourse/persistence';
import { Alarms, Notice, WrittenAmount, type CallContext } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import {
  callDeadline,
  eventually,
  LedgerState,
  SimulatedClock,
  FakeLedger,
  testDatabases,
  testTimeoutMs,
  type TestDatabases,
} from '@bourse/testing';
import { MIGRATIONS } from '../../src/migrations.js';
import { PostgresContracts } from '../../src/contracts/persistence/postgres-contracts.js';
import { PostgresPolicies } from '../../src/insurance/persistence/postgres-policies.js';
import { PostgresTicks } from '../../src/ticks/persistence/postgres-ticks.js';
import { Contracts } from '../../src/contracts/application/contracts.js';
import { Policies } from '../../src/insurance/application/policies.js';
import { Settlement } from '../../src/contracts/application/settlement.js';
import { Ticks } from '../../src/ticks/application/ticks.js';
import { SimulatedDurations } from '../../src/simulation/stores.js';
import type { MicroDatabase } from '../../src/shared/application/database.js';

jest.setTimeout(testTimeoutMs(24_000));

const SERVICE = 'micro-settlement';
const USDT = 3;
const PAIR = SEED_PAIRS.find(({ openMicro }) => openMicro)!;
const PEOPLE = [700_001, 700_002, 700_003];
const EACH = 8;
const COUNT = PEOPLE.length * EACH;
const SECONDS = 2;
const GIVEN_BEFORE_MS = 5;
const SCALE = 10n ** 8n;
const settings = new FixedSettings();
const reference = {
  get: (kind: string, id: string) =>
    (kind === 'pair' ? SEED_PAIRS : SEED_CURRENCIES).find((row) => String(row.id) === id),
} as unknown as Reference;

/** The service's own parts over their tables, as one process has them. */
interface Instance {
  readonly databases: PostgresDatabases;
  readonly database: Database;
  readonly sagas: Sagas;
  readonly contracts: Contracts;
  readonly settlement: Settlement;
  readonly ticks: Ticks;
  readonly store: PostgresTicks;
  readonly rows: PostgresContracts;
  readonly policies: PostgresPolicies;
  readonly ledger: FakeLedger;
  stop(): Promise<void>;
}

describe('seconds contracts over PostgreSQL', () => {
  let world: TestDatabases;
  let state: LedgerState;
  const running = new Set<Instance>();
  const chain: Message[] = [];
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64');

  beforeEach(async () => {
    world = await testDatabases({ shape: { schema: 'micro', migrations: MIGRATIONS } });
    state = new LedgerState();
    chain.length = 0;
    state.add('h.micro', USDT, 1_000_000n * SCALE);
    for (const user of PEOPLE) state.add(available(user, 'micro'), USDT, 1_000n * SCALE);
  });
  afterEach(async () => {
    for (const one of running) await one.stop();
    await world.end();
  });

  async function instance(name: string): Promise<Instance> {
    const databases = world.another();
    const alarms = new Alarms();
    const partitions = Object.fromEntries(
      [TOPICS.ledgerCommands, TOPICS.userEvents, TOPICS.marketTicks, resultsTopic(SERVICE)].map((topic) => [topic, 1]),
    );
    const log = new InProcessLog({ instance: name, alarms, partitions }, databases);
    const replies = new InProcessReplies(name);
    const database = await databases.open({ schema: 'micro', migrations: MIGRATIONS });
    const clock = new SimulatedClock(Date.now());
    const sagas = new Sagas({ service: SERVICE, database, log, replies, clock, alarms, partitions: 1 });
    const own = database as unknown as MicroDatabase;
    const store = new PostgresTicks(own);
    const ticks = new Ticks(store, alarms, settings, clock);
    const rows = new PostgresContracts(own);
    const policyRows = new PostgresPolicies(own);
    const policies = new Policies(sagas, policyRows, clock);
    let next = 1;
    const contracts = new Contracts(
      sagas,
      sagas.commands,
      rows,
      policies,
      new SimulatedDurations(),
      reference,
      { isFresh: () => Promise.resolve(true) },
      settings,
      clock,
      { next: () => String(next++) },
    );
    // Rounds are begun by the test alone.
    const quiet = { onStored: () => undefined } as unknown as Ticks;
    const settlement = new Settlement(sagas, log, own, rows, store, policies, clock, quiet);
    const ledger = new FakeLedger(state, log, replies, new InProcessAsks(), databases);
    const one: Instance = {
      databases,
      database,
      sagas,
      contracts,
      settlement,
      ticks,
      store,
      rows,
      policies: policyRows,
      ledger,
      stop: async () => {
        running.delete(one);
        await sagas.beforeApplicationShutdown();
        await log.close();
        await databases.close();
      },
    };
    running.add(one);
    return one;
  }

  const context = (commandId: string): CallContext =>
    ({ commandId, hasKey: true, bodyHash: 'body', validUntil: callDeadline() }) as CallContext;
  const submit = ({ contracts }: Instance, user: number, number: number): Promise<Notice> =>
    contracts.submit(
      user,
      {
        matchId: PAIR.id,
        currencyId: USDT,
        seconds: SECONDS,
        direction: number % 2 === 0 ? 'up' : 'down',
        number: new WrittenAmount('10', 'number', { key: 'miscro.openNum' }),
      },
      context(`${user}:${number}`),
    );
  const count = async (where: string): Promise<number> =>
    Number((await world.query<{ n: string }>(`select count(*) as n from micro.${where}`))[0]!.n);
  const settles = (): string[] => [...state.journals].filter((id) => id.endsWith(':settle'));

  /** The next recorded price; `take` hands it to an instance as its stream would. */
  function tick(time: number, price: string, version: 1 | 2 = 2): Message {
    const last = chain.at(-1)?.body as { id: string; hash: string } | undefined;
    const id = BigInt(last?.id ?? '0') + 1n;
    const prev_hash = last?.hash ?? '0'.repeat(64);
    const said = [prev_hash, id, PAIR.symbol, time, price, ...(version === 1 ? [] : [time - GIVEN_BEFORE_MS])];
    const hash = createHash('sha256').update(said.join('|')).digest('hex');
    const signature = sign(null, Buffer.from(hash, 'hex'), privateKey).toString('base64');
    const message = MarketTickV1.encode({
      id: String(id),
      symbol: PAIR.symbol,
      time,
      at: time - GIVEN_BEFORE_MS,
      price,
      prev_hash,
      hash,
      signature,
      public_key: key,
      kind: 'simulated',
      ...(version === 2 && { tick_version: 2 as const }),
    });
    chain.push(message);
    return message;
  }
  const take = ({ database, ticks }: Instance, messages: readonly Message[]): Promise<void> =>
    database.transaction((tx) => ticks.take(messages, tx));

  /** Contracts that have expired by the ticks that an instance has taken in; nothing has settled them. */
  async function expired(one: Instance): Promise<void> {
    await one.ledger.start();
    one.sagas.start();
    await Promise.all(PEOPLE.flatMap((user) => Array.from({ length: EACH }, (_, number) => submit(one, user, number))));
    const [last] = await world.query<{ at: string }>(
      'select round(extract(epoch from max(accepted_at)) * 1000)::bigint as at from micro.contract',
    );
    // All as if they had been accepted at once, however long the machine has taken over it.
    await world.query('update micro.contract set accepted_at = (select max(accepted_at) from micro.contract)');
    const opening = Math.floor(Number(last!.at) / 1_000) * 1_000 + 1_000;
    await take(
      one,
      ['60000', '60010', '60020', '60030'].map((price, second) => tick(opening + second * 1_000, price)),
    );
    // One transaction opens them, none settles them: the test chooses the instance that does.
    await (one.settlement as unknown as { open(known: object): Promise<number> }).open([
      { symbol: PAIR.symbol, through: opening + 3_000 },
    ]);
    expect(await count(`contract where state = 'running'`)).toBe(COUNT);
  }

  async function expectSettledOnce(one: Instance): Promise<void> {
    await eventually(async () => (await count('saga')) === 0, 20_000);
    expect(await count(`contract where state = 'closed'`)).toBe(COUNT);
    expect(settles()).toHaveLength(COUNT);
    expect(one.ledger.faults).toEqual([]);
    expect(state.holds()).toEqual(new Map());
    // Up has won with a median above the opening price, down has lost.
    expect(await world.query(`select result, contracts::int as n from micro.outcome order by result`)).toEqual([
      { result: 'loss', n: COUNT / 2 },
      { result: 'win', n: COUNT / 2 },
    ]);
    expect(await count('open_count where contracts <> 0')).toBe(0);
    expect(await count('market_reserve where reserved <> 0')).toBe(0);
    expect(await one.settlement.round()).toBe(0);
  }

  test('a submission that is repeated under its key opens one contract, also after a restart [MICRO-030]', async () => {
    const one = await instance('one');
    await one.ledger.start();
    one.sagas.start();
    // A repeat that comes while the first is under way gets the same answer, or that it is under way.
    const answers = await Promise.allSettled([submit(one, PEOPLE[0]!, 1), submit(one, PEOPLE[0]!, 1)]);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ key: 'common.processing' });
    const first = await submit(one, PEOPLE[0]!, 1);
    for (const answer of answers)
      if (answer.status === 'fulfilled') expect(answer.value.extra['id']).toBe(first.extra['id']);
    await one.stop();
    const two = await instance('two');
    await two.ledger.start();
    two.sagas.start();
    expect((await submit(two, PEOPLE[0]!, 1)).extra['id']).toBe(first.extra['id']);
    expect(await count('contract')).toBe(1);
    expect(await count('open_count where contracts = 1')).toBe(1);
    expect(state.journals.size).toBe(1);
  });

  test('of two instances that settle at once each contract is settled by one [MICRO-031]', async () => {
    const one = await instance('one');
    await expired(one);
    const two = await instance('two');
    const moved = await Promise.all([one, two, one, two].map(({ settlement }) => settlement.round()));
    expect(moved.reduce((sum, each) => sum + each, 0)).toBe(COUNT);
    // The first one's reader finds the commits of the second one, in its own time.
    await expectSettledOnce(one);
  });

  test('a death before the commit settles nothing; the successor settles each once [MICRO-032]', async () => {
    const one = await instance('one');
    await expired(one);
    const dying = one.database.transaction.bind(one.database);
    one.database.transaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      dying(async (tx) => {
        await work(tx);
        throw new Error('killed');
      });
    await expect(one.settlement.round()).rejects.toThrow('killed');
    expect(await count(`contract where state = 'running'`)).toBe(COUNT);
    expect(await count('saga')).toBe(0);
    expect(settles()).toEqual([]);
    await one.stop();
    const two = await instance('two');
    await two.ledger.start();
    two.sagas.start();
    expect(await two.settlement.round()).toBe(COUNT);
    await expectSettledOnce(two);
  });

  test("a death between the ledger's booking and its result settles nothing twice [MICRO-033]", async () => {
    const one = await instance('one');
    await expired(one);
    await one.sagas.beforeApplicationShutdown(); // it gets no more results
    expect(await one.settlement.round()).toBe(COUNT);
    await eventually(() => settles().length === COUNT, 20_000);
    expect(await count('saga')).toBe(COUNT);
    const money = new Map(state.balances);
    await one.stop();
    const two = await instance('two');
    await two.ledger.start();
    expect(await two.settlement.round()).toBe(0);
    two.sagas.start();
    await expectSettledOnce(two);
    expect(state.balances).toEqual(money);
  });

  /** A policy of a person, whose vault pays all contracts in USDT. */
  async function insure(user: number): Promise<void> {
    state.add(available(user, 'insurance'), USDT, 100_000n * SCALE);
    const rates = ['premiumRate', 'stakeRate', 'claimLossRate', 'claimRate', 'endProfitRate'];
    const terms = { ...Object.fromEntries(rates.map((name) => [name, String(percent('50'))])), maxOpen: 20 };
    await world.query(
      `insert into micro.policy (id, user_id, type_id, currency_id, currency_name, scale, amount, premium, vault,
         running, terms, state, created_at) values ($1, $1, 1, $2, 'USDT', 8, 1000, 1, 1000, 0, $3, 'active', now())`,
      [user, USDT, JSON.stringify({ ...terms, claimsPerDay: 2 })],
    );
    await world.query('update micro.insurance_type set used = used + 1000');
  }
  /** Makes a policy end as soon as none of its contracts is running. */
  const letEnd = (user: number): Promise<object[]> =>
    world.query('update micro.policy set vault = 50000 where user_id = $1', [user]);
  /** Begins a round of settlement, and waits until a transaction waits for a lock. */
  async function settleUntilBlocked({ settlement }: Instance): Promise<{ readonly settled: Promise<number> }> {
    const settled = settlement.round();
    settled.catch(() => undefined);
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(async () => (await world.query(waiting)).length > 0, 4_000);
    return { settled };
  }

  test('a contract is submitted while others of its policy settle, without a deadlock [MICRO-037]', async () => {
    const [one, two] = [await instance('one'), await instance('two')];
    const user = PEOPLE[0]!;
    await insure(user);
    await expired(one);
    const lockActive = one.policies.lockActive.bind(one.policies);
    let round: { readonly settled: Promise<number> } | undefined;
    one.policies.lockActive = async (...args) => {
      const policy = await lockActive(...args);
      round = await settleUntilBlocked(two);
      return policy;
    };
    expect(await submit(one, user, EACH)).toMatchObject({ key: 'miscro.success' });
    expect(await round?.settled).toBe(COUNT);
    expect(await count('policy where running = 1')).toBe(1);
  });

  test('a refusal ends a policy while a settlement ends another, without a deadlock [MICRO-037]', async () => {
    const [one, two] = [await instance('one'), await instance('two')];
    const [refused, winner] = [PEOPLE.at(-1)! + 1, PEOPLE[0]!];
    await insure(winner);
    await expired(one);
    await insure(refused);
    await letEnd(winner);
    const drop = one.rows.drop.bind(one.rows);
    one.rows.drop = async (...args) => {
      one.ledger.refusing = null;
      await letEnd(refused);
      return drop(...args);
    };
    const giveQuota = one.policies.giveQuota.bind(one.policies);
    let round: { readonly settled: Promise<number> } | undefined;
    one.policies.giveQuota = async (...args) => {
      await giveQuota(...args);
      round = await settleUntilBlocked(two);
    };
    one.ledger.refusing = 'balance.insufficient';
    await expect(submit(one, refused, 0)).rejects.toMatchObject({ key: 'balance.insufficient' });
    expect(await round?.settled).toBe(COUNT);
    expect(await count(`policy where state = 'ended'`)).toBe(2);
    expect(await count('insurance_type where used = 0')).toBe(1);
  });

  test('ticks of both versions are copied and kept with the time of their price [HARD-481]', async () => {
    const one = await instance('one');
    const start = Date.UTC(2026, 0, 1, 12);
    const ticks = [1, 1, 2, 2].map((version, second) => tick(start + second * 1_000, '60000', version as 1 | 2));
    await take(one, ticks);
    const given = [null, null, start + 2_000 - GIVEN_BEFORE_MS, start + 3_000 - GIVEN_BEFORE_MS];
    const copied = await one.store.within([{ symbol: PAIR.symbol, after: start - 1, until: start + 3_000 }]);
    expect(copied.map(({ at }) => at)).toEqual(given);
    await one.database.transaction((tx) => one.store.keep(tx, copied));
    expect(
      (
        await one.store.kept(
          PAIR.symbol,
          copied.map(({ id }) => id),
        )
      ).map(({ at }) => at),
    ).toEqual(given);
  });

  test('a first start makes a day of ticks from two sides at once, and neither fails [HARD-484]', async () => {
    const [one, two] = [await instance('one'), await instance('two')];
    for (let day = 0; day < 12; day += 1) {
      const now = Date.UTC(2030, 0, 1 + day * 4, 12);
      await Promise.all([one.store.maintain(now, 0), two.store.maintain(now, 0), take(one, [tick(now, '60000')])]);
    }
    expect((await one.store.heads())[0]).toMatchObject({ id: 12n, broken: false });
  });

  test('the own copy of the ticks survives a restart, and its chain continues [MICRO-034]', async () => {
    const one = await instance('one');
    const start = Date.UTC(2026, 0, 1, 23, 59, 58);
    const ticks = [0, 1, 2, 3].map((second) => tick(start + second * 1_000, String(60_000 + second)));
    await take(one, ticks.slice(0, 3));
    const before = await one.store.heads();
    await one.stop();
    const two = await instance('two');
    expect(await two.store.heads()).toEqual(before);
    // The last tick comes again, as after a commit whose answer was lost: it is known.
    await take(two, ticks.slice(2));
    await take(two, ticks.slice(3));
    const kept = await two.store.within([{ symbol: PAIR.symbol, after: start - 1, until: start + 10_000 }]);
    expect(kept.map(({ id, time, price }) => ({ id, time, price }))).toEqual(
      [0, 1, 2, 3].map((second) => ({
        id: BigInt(second + 1),
        time: start + second * 1_000,
        price: String(60_000 + second),
      })),
    );
    expect(await two.store.heads()).toMatchObject([{ id: 4n, broken: false }]);
    // The restart must not rewrite stored ticks: a fork of the chain breaks it.
    chain.length = 2;
    await take(two, [tick(start + 2_000, '1')]);
    expect(await two.store.heads()).toMatchObject([{ id: 4n, broken: true }]);
  });
});
