import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { SEED_CURRENCIES } from '@bourse/contract';
import { available, resultsTopic, TOPICS } from '@bourse/events';
import { percent, SAVINGS_DAY_MS as DAY } from '@bourse/formulas';
import { Sagas } from '@bourse/ledger-client';
import { FundGate, InProcessAsks, InProcessLog, InProcessReplies, type Reference } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import { Timers, type Database, type Tx } from '@bourse/persistence';
import { Alarms, WrittenAmount, type CallContext, type Notice } from '@bourse/platform';
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
import { PostgresDepositConfigs } from '../../src/adapters/persistence/deposit-config-list.js';
import { MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { PostgresSubscriptions } from '../../src/adapters/persistence/postgres-subscriptions.js';
import { PartsAudit } from '@bourse/messaging';
import { SavingsPartAudit } from '../../src/adapters/persistence/savings-audit.js';
import { Cancels } from '../../src/application/cancels.js';
import { Maturities } from '../../src/application/maturities.js';
import type { SavingsDatabase } from '../../src/application/ports.js';
import { DEPOSIT_CANCEL, DEPOSIT_PERSON_SHARE } from '../../src/application/savings-settings.js';
import { Subscriptions } from '../../src/application/subscriptions.js';

jest.setTimeout(testTimeoutMs(36_000));

const SERVICE = 'savings';
const USDT = 3;
const [WEEK, FORTNIGHT, QUARTER] = [1, 2, 5];
const PEOPLE = [700_001, 700_002, 700_003];
const SCALE = 10n ** 8n;
const HOUSE = 100_000n * SCALE;
const FUNDS = 1_000_000n * SCALE;
const settings = new FixedSettings();
settings.set(DEPOSIT_CANCEL, percent('0.3'));
const reference = {
  get: (_: string, id: string) => SEED_CURRENCIES.find((row) => String(row.id) === id),
} as unknown as Reference;

/** The service's own parts over their tables, as one process has them. */
interface Instance {
  readonly database: Database;
  readonly sagas: Sagas;
  readonly subscriptions: Subscriptions;
  readonly cancels: Cancels;
  readonly timers: Timers;
  readonly ledger: FakeLedger;
  readonly audit: PartsAudit;
  stop(): Promise<void>;
}

describe('fixed terms over PostgreSQL', () => {
  let world: TestDatabases;
  let state: LedgerState;
  let clock: SimulatedClock;
  let calls = 0;
  const running = new Set<Instance>();

  beforeEach(async () => {
    world = await testDatabases({ shape: { schema: 'savings', migrations: MIGRATIONS } });
    begin();
  });
  afterEach(async () => {
    for (const one of running) await one.stop();
    await world.end();
  });

  function begin(): void {
    state = new LedgerState();
    clock = new SimulatedClock(Date.now());
    state.add('h.savings', USDT, HOUSE);
    for (const user of PEOPLE) state.add(available(user, 'change'), USDT, FUNDS);
  }

  async function instance(name: string): Promise<Instance> {
    const databases = world.another();
    const alarms = new Alarms();
    const partitions = Object.fromEntries(
      [TOPICS.ledgerCommands, TOPICS.userNotices, resultsTopic(SERVICE)].map((topic) => [topic, 1]),
    );
    const log = new InProcessLog({ instance: name, alarms, partitions }, databases);
    const replies = new InProcessReplies(name);
    const database = await databases.open({ schema: 'savings', migrations: MIGRATIONS });
    const sagas = new Sagas({ service: SERVICE, database, log, replies, clock, alarms, partitions: 1 });
    const own = database as unknown as SavingsDatabase;
    const store = new PostgresSubscriptions(own);
    const fund = new FundGate(() => Promise.resolve({ ok: true }));
    const timers = new Timers(database, clock);
    const days = { ms: DAY, batch: 3, everyMs: 0, restMs: 0 };
    const maturities = new Maturities(sagas, store, timers, days, clock);
    const ids = { next: () => String(BigInt(Math.floor(Math.random() * 2 ** 47)) + 1n) };
    const subscriptions = new Subscriptions(
      sagas,
      sagas.commands,
      store,
      new PostgresDepositConfigs(own),
      { of: () => Promise.resolve('100000') },
      maturities,
      reference,
      fund,
      settings,
      clock,
      days,
      ids,
    );
    const cancels = new Cancels(sagas, sagas.commands, store, fund, clock, days);
    const ledger = new FakeLedger(state, log, replies, new InProcessAsks(), databases);
    await ledger.start();
    sagas.start();
    const one: Instance = {
      database,
      sagas,
      subscriptions,
      cancels,
      timers,
      ledger,
      audit: new PartsAudit(own, [new SavingsPartAudit()]),
      stop: async () => {
        running.delete(one);
        await timers.stop();
        await sagas.beforeApplicationShutdown();
        await log.close();
        await databases.close();
      },
    };
    running.add(one);
    return one;
  }

  const context = (): CallContext =>
    ({
      commandId: `call:${(calls += 1)}`,
      hasKey: true,
      bodyHash: 'body',
      validUntil: callDeadline(),
    }) as CallContext;
  const subscribe = (
    { subscriptions }: Instance,
    user: number,
    { configId = WEEK, amount = '1000', as = context() } = {},
  ): Promise<Notice> =>
    subscriptions.subscribe(
      user,
      {
        amount: new WrittenAmount(amount, 'amount', { key: 'save.amountRequired' }),
        password: 'fund66',
        configId,
        currencyId: USDT,
      },
      as,
    );
  const idOf = ({ extra }: Notice): string => (extra['order'] as { id: string }).id;
  const count = async (where: string): Promise<number> =>
    Number((await world.query<{ n: string }>(`select count(*) as n from savings.${where}`))[0]!.n);
  const jump = (days: number): void => clock.setOffset(clock.offset() + days * DAY);
  const ends = (what: string): number => [...state.journals].filter((id) => id.endsWith(`:${what}`)).length;
  const free = (user: number): bigint => toUnits(state.available(user, USDT), 8);
  const settled = (): Promise<unknown> => eventually(async () => (await count('saga')) === 0, 30_000);

  /** Whatever has happened: nothing is held twice or left behind, and the auditor agrees. */
  async function sound(one: Instance): Promise<void> {
    expect(one.ledger.faults).toEqual([]);
    expect(await count(`subscription where state = 'waiting'`)).toBe(0);
    expect((await one.audit.checks()).filter(({ ok }) => !ok)).toEqual([]);
    const paid = await world.query<{ user: string; units: string }>(
      `select user_id as user, sum(case when state = 'matured' then profit when state = 'accruing' then -amount
         else -ceil(amount * 0.003 * 1e8) / 1e8 end)::text as units
       from savings.subscription group by 1`,
    );
    const gains = new Map(paid.map(({ user, units }) => [Number(user), toUnitsSigned(units)]));
    for (const user of PEOPLE) expect(free(user)).toBe(FUNDS + (gains.get(user) ?? 0n));
    const [house] = await world.query<{ units: string }>(
      `select coalesce(sum(profit) filter (where state in ('accruing', 'matured')), 0)::text as units
       from savings.subscription`,
    );
    expect(toUnits(state.house('h.savings', USDT), 8)).toBe(HOUSE - toUnitsSigned(house!.units));
    expect(state.total(USDT)).toBe('3100000.00000000');
  }

  test('a subscription that is repeated under its key is one, also after a restart [SAVE-030]', async () => {
    const one = await instance('one');
    const as = context();
    const first = idOf(await subscribe(one, PEOPLE[0]!, { as }));
    expect(idOf(await subscribe(one, PEOPLE[0]!, { as }))).toBe(first);
    await one.stop();
    const two = await instance('two');
    expect(idOf(await subscribe(two, PEOPLE[0]!, { as }))).toBe(first);
    expect(await count('subscription')).toBe(1);
    await sound(two);
  });

  test('a subscription that the ledger refuses leaves nothing behind [SAVE-031]', async () => {
    const one = await instance('one');
    one.ledger.refusing = 'balance.insufficient';
    await expect(subscribe(one, PEOPLE[0]!)).rejects.toMatchObject({ key: 'balance.insufficient' });
    expect(await count('subscription')).toBe(0);
    expect(await count('timer')).toBe(0);
    await sound(one);
  });

  test('one person reserves a share at most, in two instances at once, and others get theirs [HARD-419]', async () => {
    const [one, two] = [await instance('one'), await instance('two')];
    const [greedy, other] = PEOPLE as [number, number];
    // A term reserves 300 of the house's 100,000: of 1 % three fit.
    const term = { configId: QUARTER, amount: '25000' };
    settings.set(DEPOSIT_PERSON_SHARE, 1);
    try {
      const tried = await Promise.allSettled(
        Array.from({ length: 10 }, (_, at) => subscribe(at % 2 ? one : two, greedy, term)),
      );
      const taken = tried.flatMap((each) => (each.status === 'fulfilled' ? [idOf(each.value)] : []));
      expect(taken).toHaveLength(3);
      for (const each of tried)
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ key: 'save.houseLimit' });
      expect(await count('subscription')).toBe(3);
      // Taken and cancelled again and again, it stays the same share.
      for (const id of taken) {
        await one.cancels.cancel(greedy, id, 'fund66', context());
        await subscribe(two, greedy, term);
        await expect(subscribe(one, greedy, term)).rejects.toMatchObject({ key: 'save.houseLimit' });
      }
      for (let number = 0; number < 3; number += 1) await subscribe(one, other, term);
      await settled();
      await sound(one);
    } finally {
      settings.set(DEPOSIT_PERSON_SHARE, DEPOSIT_PERSON_SHARE.initial);
    }
  });

  test('of two instances that wake at once each term is ended by one, set after set [SAVE-032]', async () => {
    const one = await instance('one');
    for (let number = 0; number < 10; number += 1)
      await subscribe(one, PEOPLE[number % 3]!, { configId: number % 2 === 0 ? WEEK : FORTNIGHT });
    const two = await instance('two');
    expect(await count('timer')).toBe(2);
    jump(40);
    await Promise.all([one, two, one, two].map(({ timers }) => timers.runDue()));
    await one.timers.runDue();
    await settled();
    expect(await count(`subscription where state = 'matured' and ended_at = end_at`)).toBe(10);
    expect(ends('mature')).toBe(10);
    expect(await count('timer')).toBe(0);
    await sound(one);
  });

  test('a death before the commit ends nothing; the successor ends each once [SAVE-033]', async () => {
    const one = await instance('one');
    for (const user of PEOPLE) await subscribe(one, user);
    jump(10);
    const dying = one.database.transaction.bind(one.database);
    one.database.transaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      dying(async (tx) => {
        await work(tx);
        throw new Error('killed');
      });
    await expect(one.timers.runDue()).rejects.toThrow('killed');
    expect(await count(`subscription where state = 'accruing'`)).toBe(3);
    expect(await count('timer')).toBe(1);
    expect(await count('saga')).toBe(0);
    await one.stop();
    const two = await instance('two');
    // A failed timer waits a second before its retry.
    await eventually(async () => {
      await two.timers.runDue();
      return (await count(`subscription where state = 'accruing'`)) === 0;
    }, 20_000);
    await settled();
    expect(ends('mature')).toBe(3);
    await sound(two);
  });

  test('a cancel and the end race: one of them wins, once [SAVE-034]', async () => {
    const one = await instance('one');
    const two = await instance('two');
    const taken: [number, string][] = [];
    for (const user of [...PEOPLE, ...PEOPLE]) taken.push([user, idOf(await subscribe(one, user))]);
    const [last] = await world.query<{ at: string }>(
      `select round(extract(epoch from min(end_at)) * 1000)::bigint as at from savings.subscription`,
    );
    clock.setOffset(clock.offset() + Number(last!.at) - clock.now() - 1);
    const cancels = taken.map(([user, id]) => one.cancels.cancel(user, id, 'fund66', context()));
    clock.setOffset(clock.offset() + 1);
    const [answers] = await Promise.all([Promise.allSettled(cancels), two.timers.runDue()]);
    await two.timers.runDue();
    await settled();
    const won = answers.filter(({ status }) => status === 'fulfilled').length;
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ key: 'save.state' });
    expect([ends('cancel'), ends('mature')]).toEqual([won, taken.length - won]);
    await sound(one);
  });

  test('over drawn days, kills and cancels each ends once, and is paid the reserve [SAVE-035]', async () => {
    const act = fc.oneof(
      fc.record({
        kind: fc.constant('subscribe' as const),
        user: fc.constantFrom(...PEOPLE),
        configId: fc.constantFrom(WEEK, FORTNIGHT, QUARTER),
        amount: fc
          .integer({ min: 10_000, max: 5_000_000 })
          .map((cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`),
      }),
      fc.record({ kind: fc.constant('cancel' as const), place: fc.nat(30) }),
      fc.record({ kind: fc.constant('jump' as const), days: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ kind: fc.constant('kill' as const) }),
    );
    await fc.assert(
      fc
        .asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async (acts) => {
          let one = await instance('first');
          const taken: [number, string][] = [];
          for (const each of acts) {
            if (each.kind === 'subscribe') taken.push([each.user, idOf(await subscribe(one, each.user, each))]);
            else if (each.kind === 'jump') {
              jump(each.days);
              await one.timers.runDue();
            } else if (each.kind === 'kill') {
              await one.stop();
              one = await instance('next');
            } else if (taken.length > 0) {
              const [user, id] = taken[each.place % taken.length]!;
              const [answer] = await Promise.allSettled([one.cancels.cancel(user, id, 'fund66', context())]);
              if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ key: 'save.state' });
            }
          }
          await settled();
          await sound(one);
          jump(120);
          await one.timers.runDue();
          await settled();
          await sound(one);
          expect(await count(`subscription where state in ('matured', 'cancelled')`)).toBe(taken.length);
          expect(ends('mature') + ends('cancel')).toBe(taken.length);
          expect(state.holds()).toEqual(new Map());
          await one.stop();
        })
        .afterEach(async () => {
          await world.query('truncate savings.subscription, savings.timer');
          begin();
        }),
      { numRuns: 6 },
    );
  });
});

/** Units at scale 8 of a decimal that may be negative. */
function toUnitsSigned(text: string): bigint {
  const [whole = '0', part = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole) * SCALE + BigInt(part.slice(0, 8).padEnd(8, '0'));
  return text.startsWith('-') ? -units : units;
}
