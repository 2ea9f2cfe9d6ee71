// The part of this service that the simulator runs: its use cases over tables in memory, the risk owners, wandering
// prices, and its invariants. Only the simulator imports it.
import { overnightFee, percent } from '@bourse/formulas';
import { MarketTickV1, TOPICS, type LedgerReply } from '@bourse/events';
import {
  replyOf,
  type SimulatedHost,
  type SimulatedMove,
  type SimulatedService,
  type SimulatedTables,
} from '@bourse/ledger-client';
import { leverRiskAsks, MarkPrices } from '@bourse/messaging';
import { formatTrimmed } from '@bourse/money';
import { AnswerStore, Timers } from '@bourse/persistence';
import { Refused } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { AskedBalances } from './adapters/messaging/asked-balances.js';
import { groupBy } from './application/groups.js';
import { AccountReader, UnreadableAccounts } from './application/account-reader.js';
import { ClosePositions } from './application/close.js';
import { TriggerOrders } from './application/trigger-orders.js';
import { AccountClaims } from './application/account-claims.js';
import { LeverMarkets } from './application/lever-markets.js';
import { OVERNIGHT } from './application/lever-settings.js';
import { OvernightFees } from './application/overnight-fees.js';
import type { LeverDatabase } from './application/ports.js';
import { RiskParts } from './application/risk-owner.js';
import { RiskRunner } from './application/risk-runner.js';
import { SetStops } from './application/set-stops.js';
import { SubmitPosition } from './application/submit.js';
import { TakeOut } from './application/take-out.js';
import { PositionEvents } from './application/position-events.js';
import { CLOSED_BY, counts, holdOf, neededHold, STATUS, wholeOf, type Position } from './domain/position.js';
import { nextMidnight } from './domain/overnight-fees.js';
import { drawCall, MARKETS, PRICES, QUOTE, type Lever } from './simulation/calls.js';
import { answerProblems } from './simulation/answers.js';
import { SettlementWatch } from './simulation/settlement-watch.js';
import { TransferWatch } from './simulation/transfer-watch.js';
import {
  ACCOUNT,
  EXPOSURE,
  POSITION,
  SCHEMA,
  SimulatedAccounts,
  SimulatedPositions,
  type Account,
  type Exposure,
} from './simulation/stores.js';

const SERVICE = 'lever-risk';
const TICK_MS = 1_000;
/** Period in which the price rises and falls by an eighth: enough to liquidate some accounts. */
const SWING_SECONDS = 16;

/** High enough that margins at the largest leverage do not cover it: 3 % of the value, against a margin of 2 %. */
const NIGHT_FEE = percent('3');

const settings = new FixedSettings();
settings.set(OVERNIGHT, NIGHT_FEE);

/**
 * The price of a market in a second, the same for every process. With gaps it stays constant and jumps by an eighth,
 * which no margin of a high multiple covers.
 */
function priceAt(second: number, place: number, hasGaps: boolean): string {
  const moment = hasGaps ? second - (second % (SWING_SECONDS / 4)) : second;
  const swing = Math.abs(((moment + 5 * place) % SWING_SECONDS) - SWING_SECONDS / 2);
  return formatTrimmed(BigInt(PRICES[place]!.base * (1_000 + 125 - Math.round((250 * swing) / 8))), 3);
}

/** The real reader of marks, fed with wandering prices instead of the recorder's topic. */
function wanderingPrices(clock: SimulatedHost['clock'], hasGaps: boolean): MarkPrices {
  let take: Parameters<ConstructorParameters<typeof MarkPrices>[0]['watch']>[0]['take'] = () => undefined;
  const prices = new MarkPrices(
    {
      watch: (watching) => {
        take = watching.take;
        return { stop: () => Promise.resolve() };
      },
    },
    clock,
    SERVICE,
  );
  setInterval(() => {
    const second = Math.floor(clock.now() / TICK_MS);
    take(
      MARKETS.map(({ symbol }, place) =>
        MarketTickV1.encode({
          id: String(second),
          symbol,
          time: second * TICK_MS,
          at: second * TICK_MS,
          price: priceAt(second, place, hasGaps),
          prev_hash: '0'.repeat(64),
          hash: '0'.repeat(64),
          signature: '',
          public_key: '',
          kind: 'simulated',
        }),
      ),
    );
  }, TICK_MS / 2);
  return prices;
}

function start({
  database,
  sagas,
  log,
  views,
  replies,
  asks,
  clock,
  reference,
  alarms,
  metrics,
  dry,
}: SimulatedHost): Lever {
  const own = database as unknown as LeverDatabase;
  const prices = wanderingPrices(clock, dry === SERVICE);
  const markets = new LeverMarkets(reference, prices);
  const balances = new AskedBalances(asks);
  const accounts = new SimulatedAccounts(database);
  const positions = new SimulatedPositions(database);
  const claims = new AccountClaims(accounts, positions, balances, markets);
  const positionEvents = new PositionEvents(log, views, markets, positions, balances);
  const timers = new Timers(database, clock);
  const submitting = new SubmitPosition(
    sagas,
    sagas.commands,
    claims,
    markets,
    positions,
    settings,
    timers,
    positionEvents,
    clock,
  );
  const closing = new ClosePositions(
    sagas,
    sagas.commands,
    own,
    claims,
    markets,
    positions,
    settings,
    timers,
    positionEvents,
    clock,
  );
  const triggerOrders = new TriggerOrders(
    sagas,
    own,
    claims,
    markets,
    positions,
    settings,
    timers,
    positionEvents,
    // The gateway and auth are not simulated: nothing is stopped.
    { areOpen: () => Promise.resolve(true) },
    clock,
  );
  const overnightFees = new OvernightFees(sagas, own, timers, accounts, positions, claims, positionEvents);
  const parts = new RiskParts(
    prices,
    markets,
    accounts,
    new AccountReader(claims),
    new UnreadableAccounts(alarms, metrics),
    settings,
    closing,
    triggerOrders,
    overnightFees,
    positionEvents,
  );
  new RiskRunner(own, replies, reference, parts).onApplicationBootstrap();
  timers.start();
  const stopping = new SetStops(sagas.commands, claims, markets, positions, positionEvents, clock);
  const takeOut = new TakeOut(sagas, sagas.commands, claims, markets, settings, positionEvents);
  asks.handle(leverRiskAsks.transfer, async ({ context, ...outgoing }) => {
    const { extra } = await takeOut.transfer(outgoing, context);
    return { id: String(extra['id']) };
  });
  return { submitting, closing, stopping, answers: new AnswerStore(database) };
}

/** The stored answer of a transfer out, which the ledger cannot answer itself. */
async function outcome({ answers }: Lever, commandId: string): Promise<LedgerReply | null> {
  const found = await answers.find(commandId);
  if (found?.state === 'pending') throw new Refused('common.processing', {}, { type: 'pending' });
  return found ? replyOf(commandId, found.answer) : null;
}

const positionsOf = (server: SimulatedTables): readonly Position[] => server.rows<Position>(POSITION);
/** Whether its fee is spent. */
const hasPaidFee = (position: Position): boolean => counts(position) || position.status === STATUS.closed;

/**
 * A run has one 00:00 UTC. A position that was open then has paid its fee once, also if the close came before the
 * timer: at least what the margin covers, and nothing stays unpaid. The parts of a position that were one then paid as
 * one.
 */
function overnightFeeProblems(positions: readonly Position[]): string[] {
  const latest = Math.max(0, ...positions.map(({ changedAt }) => changedAt));
  return [...groupBy(positions, wholeOf)].flatMap(([id, parts]) => {
    const sum = (amount: (one: Position) => bigint, of = parts): bigint =>
      of.reduce((total, one) => total + amount(one), 0n);
    const wereOpen = parts.filter(
      ({ openedAt, handledAt }) => openedAt !== null && nextMidnight(openedAt) <= (handledAt ?? latest),
    );
    const [first] = wereOpen;
    const whole = first && { price: first.price, lots: sum(({ lots }) => lots, wereOpen) };
    const fee = whole ? overnightFee(first.scales, whole, first.overnight) : 0n;
    const initialMargin = sum((one) => one.initialMargin, wereOpen);
    const least = fee < initialMargin ? fee : initialMargin;
    const [paid, unpaid] = [sum((one) => one.paidOvernightFees), sum((one) => one.unpaidOvernightFee)];
    if (unpaid > 0n) return [`I3 position ${id} still owes an overnight fee of ${unpaid}`];
    return paid < least || paid > fee ? [`I3 position ${id} paid ${paid} of an overnight fee of ${fee}`] : [];
  });
}

/** Counts the closes that the house cannot pay yet, and the positions of other accounts that changed meanwhile. */
function waitingFor(positions: readonly Position[]): Record<string, number> {
  const unpaid = positions.filter(({ status }) => status === STATUS.closing);
  const users = new Set(unpaid.map(({ userId }) => userId));
  const since = Math.min(...unpaid.map(({ handledAt }) => handledAt!));
  const others = positions.filter(({ status, userId }) => status !== STATUS.waiting && !users.has(userId));
  return {
    'unpaid closes': unpaid.length,
    'unpaid closes of the fund': unpaid.filter(({ closeShortfall }) => closeShortfall > 0n).length,
    'changes of others meanwhile': others.filter(({ changedAt }) => changedAt >= since).length,
  };
}

/** Opens, triggers, closes, liquidates and cancels positions and sets their stops while the prices wander. */
export const SIMULATED: SimulatedService<Lever> = {
  service: SERVICE,
  schema: SCHEMA,
  sagas: true,
  reads: [],
  // This service plays the recorder of prices, whose topic is otherwise empty.
  topics: () => ({ [TOPICS.marketTicks]: 1 }),
  start,

  draw: drawCall,
  dry: {
    accounts: ['h.lever', 'h.lever_fund'].map((account) => ({ account, currency: QUOTE })),
    waiting: (server) => waitingFor(positionsOf(server)),
  },
  outcome,
  hasAccepted: (server, commandId) => server.row<{ state: string }>(`${SCHEMA}.answers`, commandId)?.state === 'done',
  watch: () => {
    const watches = [new TransferWatch(), new SettlementWatch()];
    return {
      get problems() {
        return watches.flatMap(({ problems }) => problems);
      },
      commit: (writes) => watches.forEach((watch) => watch.commit(writes)),
    };
  },

  isSettled: ({ server }) =>
    positionsOf(server).every(({ status }) => status !== STATUS.waiting && status !== STATUS.closing) &&
    positionsOf(server).every(({ unpaidOvernightFee }) => unpaidOvernightFee === 0n) &&
    server.rows<Account>(ACCOUNT).every(({ inFlight }) => inFlight === null),

  holds: (server) => {
    const holds = new Map<string, bigint>();
    for (const position of positionsOf(server)) {
      const name = holdOf(wholeOf(position));
      if (neededHold(position) > 0n) holds.set(name, (holds.get(name) ?? 0n) + neededHold(position));
    }
    return holds;
  },

  moves: ({ server }) =>
    positionsOf(server).flatMap((position): SimulatedMove[] => {
      const { userId, quote: currency, fee, paidOvernightFees, closeProfits, closeShortfall } = position;
      const paid = (hasPaidFee(position) ? fee : 0n) + paidOvernightFees;
      const [profits, shortfall] = position.status === STATUS.closed ? [closeProfits, closeShortfall] : [0n, 0n];
      return [
        { whose: userId, currency, units: profits + shortfall - paid },
        { whose: 'h.fees', currency, units: paid },
        { whose: 'h.lever', currency, units: -profits },
        { whose: 'h.lever_fund', currency, units: -shortfall },
      ];
    }),

  check({ server, calls }) {
    const problems: string[] = [];
    const positions = new Map(positionsOf(server).map((position) => [position.id, position]));
    const open = new Map<number, bigint>();
    for (const position of positions.values()) {
      const { id, status, quote, notional } = position;
      if (status === STATUS.waiting || status === STATUS.closing)
        problems.push(`I3 position ${id} stays in a transitional state`);
      if (counts(position)) open.set(quote, (open.get(quote) ?? 0n) + notional);
    }
    for (const { quote, notional } of server.rows<Exposure>(EXPOSURE))
      if (notional !== (open.get(quote) ?? 0n))
        problems.push(`I3 ${notional} is counted as open in ${quote}, positions come to ${open.get(quote) ?? 0n}`);
    for (const { userId, inFlight } of server.rows<Account>(ACCOUNT))
      if (inFlight !== null) problems.push(`I3 ${inFlight} of ${userId} stays in flight`);
    problems.push(...overnightFeeProblems([...positions.values()]));
    problems.push(...answerProblems([...positions.values()], calls));
    return problems;
  },

  figures: (server) => ({
    positions: positionsOf(server).length,
    closed: positionsOf(server).filter(({ status }) => status === STATUS.closed).length,
    liquidated: positionsOf(server).filter(({ closedBy }) => closedBy === CLOSED_BY.liquidation).length,
    stopped: positionsOf(server).filter(({ closedBy }) => closedBy === CLOSED_BY.stop).length,
    'part closes': positionsOf(server).filter(({ partOf }) => partOf !== null).length,
    covers: positionsOf(server).filter(({ closedBy }) => closedBy === CLOSED_BY.cover).length,
    targeted: positionsOf(server).filter(({ closedBy }) => closedBy === CLOSED_BY.target).length,
    nights: positionsOf(server).filter(({ paidOvernightFees }) => paidOvernightFees > 0n).length,
    'taken out': server
      .rows<{ readonly answer: string | null }>(`${SCHEMA}.answers`)
      .filter(({ answer }) => answer?.includes('transfer.success')).length,
    shortfalls: positionsOf(server).filter(({ closeShortfall }) => closeShortfall > 0n).length,
  }),
};
