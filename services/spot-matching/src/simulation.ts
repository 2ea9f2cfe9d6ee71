// The simulator's part of matching: the engine, the books and the calls that lead to them over tables in memory, and
// the invariants of orders and trades; and what `npm run replay` needs of a book. Nobody else imports this.
import { orderHold, TOPICS, type LedgerReply } from '@bourse/events';
import {
  AskedLedgerAnswers,
  LedgerClient,
  replyOf,
  type SimulatedHost,
  type SimulatedService,
} from '@bourse/ledger-client';
import type { Log } from '@bourse/messaging';
import { AnswerStore, type OutboxRow } from '@bourse/persistence';
import { Readiness, Refused, type Config } from '@bourse/platform';
import { AmendOrders } from './application/amend-orders.js';
import { AnsweredOrderReads } from './application/answered-order-reads.js';
import { CancelOrders } from './application/cancel-orders.js';
import { EngineProgress } from './application/engine-progress.js';
import { EngineReports } from './application/engine-reports.js';
import { CONSUMER, EngineRuntime } from './application/engine-runtime.js';
import { LocalBooks } from './application/local-books.js';
import { MarkTriggers } from './application/mark-triggers.js';
import { Markets } from './application/markets.js';
import { PlaceOrder } from './application/place-order.js';
import { checkBooks, takeCheckpoints } from './simulation/books.js';
import {
  SimulatedAcceptedOrders,
  SimulatedEngineStore,
  SimulatedOrderReads,
  type StoredAmend,
  type StoredOrder,
  type StoredTrade,
} from './simulation/engine-store.js';
import { marketsOf, SIMULATED_RATES, simulatedFeed, simulatedPairs, wanderFeed } from './simulation/markets.js';
import { movesIn, operateMarkets } from './simulation/operator.js';
import { ACTS, AMEND, CANCEL, checkOrders, ORDER, PAIR } from './simulation/orders.js';
import { checkTrades, movesOf } from './simulation/trades.js';

export { replayMarket, type Replay, type SqlReader } from './adapters/persistence/replay.js';
export { LadderBook, PlainBook } from '@bourse/matching';

interface Matching {
  readonly log: Log;
  readonly markets: Markets;
  readonly books: LocalBooks;
  readonly place: PlaceOrder;
  readonly cancel: CancelOrders;
  readonly amend: AmendOrders;
  readonly stored: AskedLedgerAnswers;
  readonly answers: AnswerStore;
}

function start(host: SimulatedHost): Matching {
  const { database, log, replies, views, asks, clock, alarms, config, metrics, reference } = host;
  const answers = new AnswerStore(database);
  const [books, reports, progress] = [new LocalBooks(), new EngineReports(), new EngineProgress()];
  const accepted = new SimulatedAcceptedOrders(database);
  const reads = new AnsweredOrderReads(new SimulatedOrderReads(database), progress, reports, accepted);
  const markets = new Markets(reference, books, views, clock, {
    ...config,
    spotPartitions: log.partitionsOf(TOPICS.spotCommands),
  } as Config);
  const runtime = new EngineRuntime(
    log,
    markets,
    books,
    new SimulatedEngineStore(database),
    database,
    views,
    replies,
    reports,
    progress,
    config,
    clock,
    new Readiness(),
    SIMULATED_RATES,
    alarms,
    metrics,
  );
  for (let partition = 0; partition < log.partitionsOf(TOPICS.spotCommands); partition += 1)
    log.own({
      consumer: CONSUMER,
      topic: TOPICS.spotCommands,
      partition,
      database,
      run: (owned) => runtime.run(owned),
      standby: () => runtime.standBy(partition),
    });
  const stored = new AskedLedgerAnswers(asks);
  const ledger = new LedgerClient(log, replies, stored, clock, config);
  new MarkTriggers(markets, books, ledger, clock);
  wanderFeed(clock, views);
  return {
    log,
    markets,
    books,
    place: new PlaceOrder(markets, ledger, stored, reports, reads, accepted, clock),
    cancel: new CancelOrders(markets, reads, ledger, replies, answers, reports, books, clock),
    amend: new AmendOrders(markets, reads, ledger, replies, answers, reports, books, clock),
    stored,
    answers,
  };
}

/** The ledger's answer, else the one that this service has kept itself: of cancels and amends. */
async function outcome({ stored, answers }: Matching, commandId: string): Promise<LedgerReply | null> {
  const decided = await stored.answer(commandId);
  if (decided) return decided;
  const found = await answers.find(commandId);
  if (!found) return null;
  if (found.state === 'pending') throw new Refused('common.processing', {}, { type: 'pending' });
  return replyOf(commandId, found.answer);
}

/** Spot trading: people place, amend and cancel orders, and an operator changes the mode of a market. */
export const SIMULATED: SimulatedService<Matching> = {
  service: 'spot-matching',
  schema: 'spot',
  sagas: false,
  reads: [TOPICS.spotCommands],
  copies: 2,
  deadlines: true,
  partitions: [1, 2, 3],
  topics: (partitions) => ({ [TOPICS.spotCommands]: partitions, [TOPICS.spotEvents]: partitions }),
  catalog: (partitions) => ({ pair: simulatedPairs(partitions) }),
  outsideViews: (beginning) => ({ feed: simulatedFeed(beginning) }),
  start,

  acts: ACTS,
  intents: { order: ORDER, oco: PAIR, cancel: CANCEL, amend: AMEND },
  operate: operateMarkets,
  outcome,

  isReady: (look) => marketsOf(look).every(({ symbol }) => look.views.has(`depth/${symbol}`)),
  checkpoint: takeCheckpoints,
  holds: (server) =>
    new Map(
      server
        .rows<StoredOrder>('spot.orders')
        .filter(({ status, holdLeft }) => status === 1 && holdLeft > 0n)
        .map(({ id, holdLeft }) => [orderHold(id), holdLeft]),
    ),
  moves: movesOf,
  check: (end) => [...checkBooks(end), ...checkTrades(end), ...checkOrders(end)],
  figures: (server) => ({
    orders: server.rows<StoredOrder>('spot.orders').length,
    trades: server.rows<StoredTrade>('spot.trades').length,
    amends: server.rows<StoredAmend>('spot.amends').length,
    pairs: server.rows<StoredOrder>('spot.orders').filter(({ linkId, type }) => linkId !== '' && type === 'limit')
      .length,
    'started by mark': server
      .rows<StoredOrder>('spot.orders')
      .filter(({ triggerBy, triggered }) => triggerBy === 'mark' && triggered).length,
    trailing: server.rows<StoredOrder>('spot.orders').filter(({ type }) => type === 'trailing_stop').length,
    exits: server.rows<StoredOrder>('spot.orders').filter(({ parentId }) => parentId !== '').length,
    ...movesIn(server.rows<OutboxRow>('spot.outbox')),
  }),
};
