// The service as the simulator runs it: its use cases over tables in memory, days of a few seconds, and its invariants.
// Only the simulator imports this.
import { decode, TOPICS, UserNoticesV1, type Message } from '@bourse/events';
import { percent, savingsProfit } from '@bourse/formulas';
import type {
  SimulatedCall,
  SimulatedEnd,
  SimulatedMove,
  SimulatedService,
  SimulatedTables,
} from '@bourse/ledger-client';
import { FundGate } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import { Timers } from '@bourse/persistence';
import { Notice, WrittenAmount, type Ids } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { LedgerHouseInterest } from './adapters/messaging/ledger-house-interest.js';
import { Cancels } from './application/cancels.js';
import { Maturities, MATURITY } from './application/maturities.js';
import type { Days } from './application/savings-ports.js';
import { DEPOSIT_CANCEL } from './application/savings-settings.js';
import { Subscriptions } from './application/subscriptions.js';
import { cancelFee, holdOf, termFrom, type Accepted, type Subscription } from './domain/subscription.js';
import {
  CURRENCY,
  ENDLESS,
  SCHEMA,
  SimulatedConfigs,
  SimulatedSubscriptions,
  SUBSCRIPTION,
} from './simulation/stores.js';

const SCALE = 8;
/** Few at a time, so that many of one midnight are more than one transaction. */
const DAYS: Days = { ms: 2_000, batch: 2, everyMs: 5, restMs: 2 };
const FUND = 'fund66';

interface Running {
  readonly subscriptions: Subscriptions;
  readonly cancels: Cancels;
}

/** A cancel costs something here, so that a fee which is forgotten or taken twice is seen. */
const settings = new FixedSettings();
settings.set(DEPOSIT_CANCEL, percent('0.3'));

const subscriptionsOf = (server: SimulatedTables): readonly Subscription[] => server.rows<Subscription>(SUBSCRIPTION);
const isEnded = ({ state }: Subscription): boolean => state === 'matured' || state === 'cancelled';

/** The notice with the subscription's id as the clients of a run read it. */
const withId = ({ key, extra }: Notice): Notice =>
  new Notice(key, { id: (extra['order'] as { readonly id: string }).id });

/** Terms are taken, cancelled and matured. */
export const SIMULATED: SimulatedService<Running> = {
  service: 'savings',
  schema: SCHEMA,
  sagas: true,
  deadlines: true,
  reads: [],

  start({ database, sagas, asks, clock, reference, random }) {
    const store = new SimulatedSubscriptions();
    const ids: Ids = { next: () => String(1 + random.int(2 ** 47)) };
    const fund = new FundGate(() => Promise.resolve({ ok: true }));
    const timers = new Timers(database, clock);
    const maturities = new Maturities(sagas, store, timers, DAYS, clock);
    const subscriptions = new Subscriptions(
      sagas,
      sagas.commands,
      store,
      new SimulatedConfigs(),
      new LedgerHouseInterest(asks),
      maturities,
      reference,
      fund,
      settings,
      clock,
      DAYS,
      ids,
    );
    const cancels = new Cancels(sagas, sagas.commands, store, fund, clock, DAYS);
    timers.start();
    return { subscriptions, cancels };
  },

  draw(random, user, known): SimulatedCall<Running> {
    if (known.length > 0 && random.chance(0.4)) {
      const id = random.pick(known);
      return {
        fields: { call: 'cancel', id },
        run: async ({ cancels }, context) => withId(await cancels.cancel(user, id, FUND, context)),
      };
    }
    const units = random.chance(0.1) ? 10n ** 14n : BigInt(10 * 10 ** SCALE + random.int(20_000 * 10 ** SCALE));
    const amount = formatUnits(units, SCALE);
    const configId = 1 + random.int(3);
    return {
      fields: { call: 'subscribe', amount, configId },
      run: async ({ subscriptions }, context) =>
        withId(
          await subscriptions.subscribe(
            user,
            {
              amount: new WrittenAmount(amount, 'amount', { key: 'save.amountRequired' }),
              password: FUND,
              configId,
              currencyId: CURRENCY,
            },
            context,
          ),
        ),
    };
  },

  isSettled: ({ server }) =>
    subscriptionsOf(server).every((one) => isEnded(one) || (one.state === 'accruing' && one.day === ENDLESS)),

  /** Of one hold's name the ledger has two: the amount of the person and the profit of the house. */
  holds: (server) =>
    new Map(
      subscriptionsOf(server)
        .filter(({ state }) => state === 'accruing')
        .map(({ id, amount, profit }) => [holdOf(id), amount + profit]),
    ),

  moves: ({ server }) => [
    { whose: 'h.savings', currency: CURRENCY, units: 0n },
    ...subscriptionsOf(server).flatMap((one): SimulatedMove[] => {
      const move = (whose: number | string, units: bigint): SimulatedMove => ({ whose, currency: CURRENCY, units });
      if (one.state === 'matured') return [move(one.userId, one.profit), move('h.savings', -one.profit)];
      return one.state === 'cancelled' ? [move(one.userId, -cancelFee(one)), move('h.fees', cancelFee(one))] : [];
    }),
  ],

  check: (end) => [...termWrongs(end), ...deadlineWrongs(end), ...answerProblems(end), ...noticeWrongs(end)],

  figures: (server) => ({
    subscriptions: subscriptionsOf(server).length,
    'matured subscriptions': subscriptionsOf(server).filter(({ state }) => state === 'matured').length,
    'cancelled subscriptions': subscriptionsOf(server).filter(({ state }) => state === 'cancelled').length,
  }),
};

/** Returns violations of the rules by the stored subscriptions. */
function termWrongs({ server }: SimulatedEnd<Running>): string[] {
  return subscriptionsOf(server).flatMap((one) => {
    const { id, state, createdAt, startAt, endAt, endedAt, day, amount, rate, profit } = one;
    if (state === 'waiting' || createdAt === null) return [`I3 subscription ${id} stays in between`];
    const problems: string[] = [];
    const term = termFrom(createdAt, day, DAYS.ms);
    if (term.startAt !== startAt || term.endAt !== endAt) problems.push(`I8 subscription ${id} has another term`);
    if (profit !== savingsProfit(amount, rate)) problems.push(`I8 subscription ${id} has another profit`);
    if (state === 'matured' && endedAt !== endAt) problems.push(`I8 subscription ${id} matured at ${endedAt}`);
    if (state === 'cancelled' && endedAt! >= endAt!) problems.push(`I8 subscription ${id} was cancelled after its end`);
    return problems;
  });
}

/** Each subscription that accrues has the deadline of its end; there may be deadlines of which all were cancelled. */
function deadlineWrongs({ server }: SimulatedEnd<Running>): string[] {
  const timers = server.rows<{ kind: string; id: string }>(`${SCHEMA}.timer`).filter(({ kind }) => kind === MATURITY);
  const due = new Set(timers.map(({ id }) => Number(id)));
  return subscriptionsOf(server)
    .filter(({ state, endAt }) => state === 'accruing' && !due.has(endAt!))
    .map(({ id }) => `I3 subscription ${id} has no deadline`);
}

/** Returns answers to people that do not match the stored subscriptions, or came more than once. */
function answerProblems({ server, calls }: SimulatedEnd<Running>): string[] {
  const rows = new Map(subscriptionsOf(server).map((one) => [one.id, one]));
  const subscribed = new Set<string>();
  return calls.flatMap(({ fields, told }) => {
    const ok = told.find(({ kind }) => kind === 'ok');
    if (ok?.kind !== 'ok') return [];
    const problems: string[] = [];
    if (told.some(({ kind }) => kind === 'refused'))
      problems.push(`I6 subscription ${ok.id} was told ok and refused under one command id`);
    const state = rows.get(ok.id)?.state;
    if (state === undefined) problems.push(`I6 subscription ${ok.id} was told ok and is not there`);
    if (fields['call'] === 'cancel' && state !== 'cancelled')
      problems.push(`I6 the cancel of ${ok.id} was told ok, it is ${state}`);
    if (fields['call'] === 'subscribe' && subscribed.size === subscribed.add(ok.id).size)
      problems.push(`I6 subscription ${ok.id} is the answer to two calls`);
    return problems;
  });
}

/** Returns the ends whose owner did not get exactly one notice. */
function noticeWrongs({ server }: SimulatedEnd<Running>): string[] {
  const told = server
    .rows<{ stream: string; payload: string }>(`${SCHEMA}.outbox`)
    .filter(({ stream }) => stream.endsWith(`>${TOPICS.userNotices}/0`))
    .flatMap(({ payload }) => JSON.parse(payload) as Message[])
    .flatMap((message) => {
      const decoded = decode(UserNoticesV1, message);
      return decoded.ok ? decoded.body.notices : [];
    });
  const own = told.filter(({ kind }) => kind === 'savingsMatured' || kind === 'savingsCancelled');
  const wanted = subscriptionsOf(server)
    .filter(isEnded)
    .map((one) => `${(one as Accepted).userId} ${holdOf(one.id)}:${one.state}`)
    .sort();
  const found = own.map(({ userId, id }) => `${userId} ${id}`).sort();
  return JSON.stringify(found) === JSON.stringify(wanted)
    ? []
    : [`I6 ${wanted.length} ends of subscriptions are told by ${found.length} notices`];
}
