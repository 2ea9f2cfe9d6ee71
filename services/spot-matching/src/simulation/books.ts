import { TOPICS } from '@bourse/events';
import type { SimulatedEnd, SimulatedView } from '@bourse/ledger-client';
import { toUnits } from '@bourse/money';
import { replayBook, type Checkpoint, type LoggedCommand, type Marks } from '../application/book-replay.js';
import type { LocalBooks } from '../application/local-books.js';
import type { ListedMarket } from '../application/markets.js';
import type { MarketRow } from '../application/ports.js';
import { LadderBook, MarketEngine, isWaiting, PlainBook } from '@bourse/matching';
import { movedOrder, type StoredAmend, type StoredOrder, type StoredTrade, type StoredTrail } from './engine-store.js';
import { checkTrails } from './trails.js';
import { marketsOf } from './markets.js';

interface Books {
  readonly books: LocalBooks;
}
/** The state of a market at one instant of the load, with the stream positions of its book. */
interface TakenCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly positions: ReadonlyMap<string, number>;
}

/**
 * Takes the checkpoints that the service takes regularly: open orders, numbers and positions of one instant
 * (`PostgresBookCheckpoints`).
 */
export function takeCheckpoints(view: SimulatedView<Books>): ReadonlyMap<string, TakenCheckpoint> {
  const { server } = view;
  const taken = new Map<string, TakenCheckpoint>();
  const positions = new Map(
    server.rows<{ stream: string; number: number }>('spot.position').map(({ stream, number }) => [stream, number]),
  );
  const orders = ordersOf(view);
  for (const market of marketsOf(view)) {
    const row = server.row<MarketRow>('spot.market', market.symbol);
    if (!row) continue;
    const state = {
      sequence: row.sequence,
      tradeSequence: row.tradeSequence,
      lastPrice: Number(toUnits(row.lastPrice, market.priceScale)),
      mode: row.mode,
      at: row.at,
    };
    taken.set(market.symbol, { positions, checkpoint: { state, orders: openOf(orders, market) } });
  }
  return taken;
}

/** All orders, waiting trailing stops with their present triggers. */
function ordersOf({ server }: SimulatedView<Books>): StoredOrder[] {
  const trails = new Map(server.rows<StoredTrail>('spot.trails').map((row) => [row.orderId, row]));
  return server.rows<StoredOrder>('spot.orders').map((order) =>
    movedOrder(order, {
      trail: (id) => trails.get(id),
      trades: () => server.rows<StoredTrade>('spot.trades'),
    }),
  );
}

const openOf = (orders: readonly StoredOrder[], { symbol }: ListedMarket): StoredOrder[] =>
  orders
    .filter((order) => order.symbol === symbol && order.status === 1)
    .map((order) => ({ ...order }))
    .sort((a, b) => a.sequence - b.sequence);

/** I7: the running book, the book of the open rows and the book of all commands from the first on are equal. */
export function checkBooks(end: SimulatedEnd<Books>): string[] {
  const { server, running } = end;
  const orders = ordersOf(end);
  const problems = checkTrails(orders, server.rows<StoredTrade>('spot.trades'));
  for (const market of marketsOf(end)) {
    const row = server.row<MarketRow>('spot.market', market.symbol);
    const state = {
      sequence: row?.sequence ?? 0,
      tradeSequence: row?.tradeSequence ?? 0,
      lastPrice: 0,
      mode: 'normal' as const,
      at: 0,
    };
    const [fast, plain] = [
      new MarketEngine(market, new LadderBook(), state),
      new MarketEngine(market, new PlainBook(), state),
    ];
    try {
      fast.restore(openOf(orders, market));
      plain.restore(openOf(orders, market));
    } catch (error) {
      problems.push(`I7 ${market.symbol}: ${(error as Error).message}`);
      continue;
    }
    if (row && fast.hash() !== row.hash)
      problems.push(`I7 the open orders of ${market.symbol} make ${fast.hash()}, stored is ${row.hash}`);
    if (fast.bookHash() !== plain.bookHash()) problems.push(`I7 the two kinds of book differ on ${market.symbol}`);
    const live = running.flatMap(({ books }) => books.engine(market.symbol) ?? []);
    if (live.length === 0) problems.push(`I7 no partition runs ${market.symbol}`);
    const open = openOf(orders, market).length;
    const isSame = (engine: MarketEngine): boolean =>
      engine.hash() === fast.hash() && engine.bookHash() === fast.bookHash() && engine.open.size === open;
    if (live.length > 0 && !live.some(isSame))
      problems.push(`I7 no running book of ${market.symbol} is the one of its open orders`);
    for (const order of openOf(orders, market).filter(isWaiting))
      if (order.trail && !live.some((engine) => engine.open.get(order.id)?.stopPrice === order.stopPrice))
        problems.push(`I7 no running book has trailing stop ${order.id} with trigger ${order.stopPrice}`);
    if (row) problems.push(...replayed(end, market, row, orders, fast.bookHash()));
  }
  return problems;
}

function replayed(
  end: SimulatedEnd<Books>,
  market: ListedMarket,
  row: MarketRow,
  orders: readonly StoredOrder[],
  bookHash: string,
): string[] {
  const marks = {
    orders: new Map(orders.filter(({ symbol }) => symbol === market.symbol).map((order) => [order.id, order])),
    amends: end.server
      .rows<StoredAmend>('spot.amends')
      .filter(({ symbol }) => symbol === market.symbol)
      .sort((a, b) => a.sequence - b.sequence),
  };
  const result = replayBook(market, () => new PlainBook(), consumed(end), marks, row);
  if (result.stuck !== null)
    return [`I7 the commands of ${market.symbol} stop at ${result.sequence} of ${row.sequence}: ${result.stuck}`];
  const early = fromCheckpoint(end, market, row, marks);
  if (early !== null) return [early];
  const wrong = result.hash !== row.hash || result.bookHash !== bookHash || result.tradeSequence !== row.tradeSequence;
  return wrong
    ? [
        `I7 the commands of ${market.symbol} make ${result.hash} with ${result.tradeSequence} trades, ` +
          `stored is ${row.hash} with ${row.tradeSequence}`,
      ]
    : [];
}

/** Makes the same comparison from a checkpoint: older days of the log may be dropped. */
function fromCheckpoint(end: SimulatedEnd<Books>, market: ListedMarket, row: MarketRow, marks: Marks): string | null {
  const taken = (end.checkpoint as ReadonlyMap<string, TakenCheckpoint> | undefined)?.get(market.symbol);
  if (!taken) return null;
  const log = consumed(end).filter(({ stream, number }) => number > (taken.positions.get(stream) ?? 0));
  const result = replayBook(market, () => new LadderBook(), log, marks, row, taken.checkpoint);
  return result.stuck === null && result.hash === row.hash && result.tradeSequence === row.tradeSequence
    ? null
    : `I7 ${market.symbol} from sequence ${taken.checkpoint.state.sequence} on makes ${result.hash} ` +
        `at ${result.sequence} with ${result.tradeSequence} trades (${result.stuck ?? 'at the end'}), ` +
        `stored is ${row.hash} at ${row.sequence} with ${row.tradeSequence}`;
}

/**
 * The commands that the partitions of the books have consumed, stream by stream: a market may have been in several
 * partitions.
 */
function consumed({ server, sent }: SimulatedEnd<Books>): LoggedCommand[] {
  const commands: LoggedCommand[] = [];
  for (const { stream, number } of server.rows<{ stream: string; number: number }>('spot.position')) {
    if (!stream.includes(`>${TOPICS.spotCommands}/`)) continue;
    for (let at = 1; at <= number; at++)
      for (const message of sent(stream, at)) commands.push({ stream, number: at, message });
  }
  return commands;
}
