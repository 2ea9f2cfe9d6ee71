// Points in the simulation: accounts of the third party are bound, points exchanged, and all fees booked by days of
// seconds, while the connections to the third party break like all others.
import { HOUSE_ACCOUNTS } from '@bourse/contract';
import { decode, FeesPaidV1, INTERNAL_CURRENCIES, TOPICS, type FeesPaid } from '@bourse/events';
import type {
  SimulatedCall,
  SimulatedEnd,
  SimulatedHost,
  SimulatedView,
  SimulatedMove,
  SimulatedTables,
  SimulatedPart,
} from '@bourse/ledger-client';
import { FundGate } from '@bourse/messaging';
import { formatUnits, toUnits } from '@bourse/money';
import { Timers } from '@bourse/persistence';
import { Notice, WrittenAmount, type CallContext, type Caller, type Clock, type Ids } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { UsdPrices } from '../points/application/accrual-ports.js';
import { BindingRecovery } from '../points/application/binding-recovery.js';
import { PointsAccrual } from '../points/application/points-accrual.js';
import { PointsBindings } from '../points/application/points-bindings.js';
import { PointsExchanges } from '../points/application/points-exchanges.js';
import { ExchangePrices, ProgramMembers } from '../points/application/points-ports.js';
import { JC_CURRENCY } from '../points/application/points-settings.js';
import { PointsViews } from '../points/application/points-views.js';
import type { PointsDatabase } from '../shared/application/database.js';
import { POINTS_SCALE, type PointsAccount } from '../points/domain/points-account.js';
import { pointsOfDay, VALUE_SCALE } from '../points/domain/points-accrual.js';
import type { PointsExchange } from '../points/domain/points-exchange.js';
import {
  ACCOUNT,
  BINDING,
  EXCHANGE,
  FarPointsProgram,
  FEES,
  OUTSIDE,
  SimulatedAccrual,
  SimulatedPoints,
  type DayFees,
  type Reference,
  type StoredBinding,
} from './points-stores.js';
import { exchangeFees, hasReadAll } from './exchange-fees.js';

const USDT = 3;
const PTS = INTERNAL_CURRENCIES.PTS.id;
const UNIT = 10n ** BigInt(POINTS_SCALE);
const FEES_CONSUMER = 'points.fees';
/** A day of points goes by in two seconds of the run. */
const FASTER = 43_200;
const SINCE = 1_700_000_000_000;
/** Two of them are wanted by several people. */
const ACCOUNTS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

interface Running {
  readonly bindings: PointsBindings;
  readonly exchanges: PointsExchanges;
}
class FixedPrices extends ExchangePrices {
  of() {
    return { price: UNIT, isFresh: true };
  }
}
class DollarPrices extends UsdPrices {
  of(): string {
    return '1';
  }
}
class NoMembers extends ProgramMembers {
  join(): Promise<void> {
    return Promise.resolve();
  }
}
class ImpatientRecovery extends BindingRecovery {
  protected override readonly abandonedMs = 2_000;
}

/** Composes points in a process. */
function start(host: SimulatedHost): Running {
  const { database, sagas, reference, clock, random, log } = host;
  const own = database as unknown as PointsDatabase;
  const ids: Ids = { next: () => String(1 + random.int(2 ** 47)) };
  const store = new SimulatedPoints(database);
  const program = new FarPointsProgram(database, 1_000n * UNIT, 500n * UNIT);
  const settings = new FixedSettings();
  settings.set(JC_CURRENCY, 'USDT');
  const fast = { now: () => (clock.now() - SINCE) * FASTER, real: () => clock.real() } as Clock;
  const timers = new Timers(database, fast);
  const views = new PointsViews(store, reference, new FixedPrices(), settings, fast);
  const fund = new FundGate(() => Promise.resolve({ ok: true }));
  const accrual = new PointsAccrual(sagas, own, new SimulatedAccrual(), store, new DollarPrices(), timers, fast);
  const bindings = new PointsBindings(sagas, sagas.commands, own, store, program, settings, fast, ids);
  const exchanges = new PointsExchanges(sagas, sagas.commands, store, views, fund, fast, ids);
  log.consume({
    consumer: FEES_CONSUMER,
    topic: TOPICS.ledgerFacts,
    database,
    handle: (messages, tx) =>
      accrual.take(
        tx,
        messages.flatMap((message): FeesPaid[] => {
          const decoded = message.type === FeesPaidV1.name ? decode(FeesPaidV1, message) : null;
          return decoded?.ok ? [decoded.body] : [];
        }),
      ),
  });
  new ImpatientRecovery(own, store, program, new NoMembers()).onApplicationBootstrap();
  const begin = (): void => void accrual.onApplicationBootstrap().catch(() => setTimeout(begin, 500));
  begin();
  timers.start();
  return { bindings, exchanges };
}

const rowsOf = <R>(server: SimulatedTables, table: string): readonly R[] => server.rows<R & object>(table);
const bindingsOf = (server: SimulatedTables): readonly StoredBinding[] => rowsOf(server, BINDING);
const exchangesOf = (server: SimulatedTables): readonly PointsExchange[] => rowsOf(server, EXCHANGE);
const feesOf = (server: SimulatedTables): readonly DayFees[] => rowsOf(server, FEES);

/** The expected points of all people, from the stored credits and debits. */
function expected(server: SimulatedTables): ReadonlyMap<number, bigint> {
  const sums = new Map<number, bigint>();
  const add = (userId: number, units: bigint): unknown => sums.set(userId, (sums.get(userId) ?? 0n) + units);
  for (const { userId, points, state } of bindingsOf(server)) if (state === 'bound') add(userId, points);
  for (const { userId, points, state } of feesOf(server)) if (state === 'done') add(userId, points ?? 0n);
  for (const { userId, points } of exchangesOf(server)) add(userId, -points);
  return sums;
}

/**
 * Days of points whose fees do not match the ledger's, by payer: every coin is worth a dollar. Fees returned beyond
 * those paid are carried, and count in the day to which they were carried.
 */
function wrongFees(server: SimulatedTables): string[] {
  const [counted, told] = [new Map<number, bigint>(), new Map<number, bigint>()];
  const add = (sums: Map<number, bigint>, userId: number, units: bigint): unknown =>
    sums.set(userId, (sums.get(userId) ?? 0n) + units);
  for (const { userId, value, state } of feesOf(server))
    if (state === 'open' || value > 0n) add(counted, userId, value);
  for (const { payer, amount } of exchangeFees(server))
    if (!HOUSE_ACCOUNTS.has(payer)) add(told, payer, toUnits(amount, VALUE_SCALE));
  return [...new Set([...counted.keys(), ...told.keys()])]
    .filter((userId) => (counted.get(userId) ?? 0n) !== (told.get(userId) ?? 0n))
    .map((userId) => `I3 ${userId} gets points for ${counted.get(userId) ?? 0n} of fees of ${told.get(userId) ?? 0n}`);
}

/** Returns the faults of bindings, compared with the state of the third party. */
function wrongBindings(server: SimulatedTables): string[] {
  const problems: string[] = [];
  const accounts = new Set<string | null>();
  const outside = rowsOf<Reference>(server, OUTSIDE);
  for (const { reference, account } of bindingsOf(server)) {
    if (accounts.has(account)) problems.push(`I3 ${account} of the third party is bound to two people`);
    accounts.add(account);
    if (!outside.some((row) => row.reference === reference && row.account === account))
      problems.push(`I3 binding ${reference} is not known to the third party`);
  }
  for (const { reference, account } of outside)
    if (account !== null && !bindingsOf(server).some((row) => row.reference === reference))
      problems.push(`I3 the third party has bound ${account} under ${reference}, and nobody here has it`);
  return problems;
}

export const POINTS_PART: SimulatedPart<Running> = {
  name: 'points',
  reads: [TOPICS.ledgerFacts],
  start,

  draw(random, user): SimulatedCall<Running> {
    if (random.chance(0.5)) {
      const userName = random.pick(ACCOUNTS);
      return {
        fields: { call: 'bind', userName },
        run: async ({ bindings }, context) => {
          const told = await bindings.bind(user, { userName, password: 'right' }, context);
          return new Notice(told.key, { id: `bound ${user}` });
        },
      };
    }
    const number = formatUnits(BigInt(1 + random.int(200 * 10 ** 8)), POINTS_SCALE);
    return {
      fields: { call: 'exchange', number },
      run: ({ exchanges }, context: CallContext) => {
        const useNumber = new WrittenAmount(number, 'use_number', {});
        return exchanges.exchange({ userId: user, kind: 'user' } as Caller, { useNumber, password: 'fund66' }, context);
      },
    };
  },

  isSettled: ({ server }) =>
    bindingsOf(server).every(({ state }) => state === 'bound') &&
    exchangesOf(server).every(({ state }) => state === 'done') &&
    hasReadAll(server, FEES_CONSUMER, TOPICS.ledgerFacts) &&
    feesOf(server).every(({ state, value }) => state === 'done' || (state === 'open' && value < 0n)),
  holds: () => new Map(),

  moves: ({ server }: SimulatedView<Running>) => {
    const pts = (userId: number, units: bigint): SimulatedMove[] => [
      { whose: userId, currency: PTS, units },
      { whose: 'h.points', currency: PTS, units: -units },
    ];
    return [
      ...[...expected(server)].flatMap(([userId, units]) => pts(userId, units)),
      ...exchangesOf(server).flatMap(({ userId, coins }): SimulatedMove[] => [
        { whose: userId, currency: USDT, units: coins },
        { whose: 'h.points', currency: USDT, units: -coins },
      ]),
    ];
  },

  check({ server, calls }: SimulatedEnd<Running>) {
    const problems = [...wrongBindings(server), ...wrongFees(server)];
    const sums = expected(server);
    for (const { userId, total } of rowsOf<PointsAccount>(server, ACCOUNT))
      if (total !== (sums.get(userId) ?? 0n))
        problems.push(`I3 ${userId} has ${total} points, of what was credited ${sums.get(userId) ?? 0n} are left`);
    for (const { day, userId, value, points, state } of feesOf(server))
      if (state === 'done' && points !== pointsOfDay(value).points)
        problems.push(`I3 ${userId} got ${points} points for fees of ${value} on day ${day}`);
    const done = new Map(exchangesOf(server).map((exchange) => [exchange.id, exchange]));
    const told = new Set<string>();
    for (const { fields, user, told: answers } of calls) {
      const ok = answers.find(({ kind }) => kind === 'ok');
      if (fields['product'] !== 'points' || ok?.kind !== 'ok') continue;
      if (fields['call'] === 'bind') {
        if (!bindingsOf(server).some(({ userId }) => userId === user))
          problems.push(`I6 ${user} was told to be bound and is not`);
        continue;
      }
      if (!done.has(ok.id)) problems.push(`I6 exchange ${ok.id} was told ok and is not there`);
      if (told.has(ok.id)) problems.push(`I6 exchange ${ok.id} is the answer to two calls`);
      told.add(ok.id);
      if (answers.some(({ kind }) => kind === 'refused'))
        problems.push(`I6 exchange ${ok.id} was told ok and refused under one command id`);
    }
    return problems;
  },

  figures: (server) => ({
    'bound accounts': bindingsOf(server).length,
    'released tries': rowsOf<Reference>(server, OUTSIDE).filter(({ account }) => account === null).length,
    'points exchanges': exchangesOf(server).length,
    'days of points': feesOf(server).filter(({ points }) => points !== null && points > 0n).length,
  }),
};
