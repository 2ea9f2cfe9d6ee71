import type { CurrencyRow, PairRow } from '@bourse/contract';
import { TOPICS, type Message } from '@bourse/events';
import {
  FROM_ZERO,
  replayBook,
  type AmendMark,
  type Checkpoint,
  type LoggedCommand,
  type Replayed,
} from '../../application/book-replay.js';
import { CONSUMER } from '../../application/engine-runtime.js';
import { marketOf } from '../../application/market-of.js';
import { type Book, ticksOf, type Market } from '@bourse/matching';
import { ONE_OWNER } from './postgres-engine-store.js';
import { orderFromRow, type OrderRow, ORDER_COLUMNS } from './order-rows.js';
import { schemaOfStream } from '@bourse/persistence';

/** A connection with the right to read all schemas; all queries of one call run in one REPEATABLE READ transaction. */
export interface SqlReader {
  query<R>(sql: string, params?: readonly unknown[]): Promise<R[]>;
}

export interface Replay {
  readonly symbol: string;
  /** Values in the market's row. */
  readonly stored: { readonly sequence: number; readonly tradeSequence: number; readonly hash: string };
  readonly rebuilt: Replayed;
  /** Null: from the first command. */
  readonly checkpoint: { readonly sequence: number; readonly takenAt: Date } | null;
  /** Number of log rows that were read. */
  readonly rows: number;
  readonly equal: boolean;
}

interface StoredMarket {
  sequence: string;
  trade_sequence: string;
  hash: string;
}
interface StoredCheckpoint {
  sequence: string;
  taken_at: Date;
  trade_sequence: string;
  last_price: string;
  mode: 'normal' | 'cancel_only' | 'halted';
  at: Date;
  positions: Record<string, number>;
  orders: (Omit<OrderRow, 'placed_at' | 'updated_at'> & { readonly placed_at: string; readonly updated_at: string })[];
}
/** Rows per read. */
const ROWS = 2_000;

/**
 * Rebuilds a book from the command log in the outbox of the ledger, and compares it with the stored hash (invariant
 * I7).
 * @throws Error when the market does not exist, or the kept log begins after every checkpoint.
 */
export async function replayMarket(database: SqlReader, symbol: string, makeBook: () => Book): Promise<Replay> {
  const market = await readMarket(database, symbol);
  const [row] = await database.query<StoredMarket>(
    'select sequence, trade_sequence, hash from spot.market where symbol = $1',
    [symbol],
  );
  if (!row) throw new Error(`${symbol} has taken no command yet`);
  const stored = { sequence: Number(row.sequence), tradeSequence: Number(row.trade_sequence), hash: row.hash };
  const positions = new Map(
    (
      await database.query<{ stream: string; number: string }>(
        `select stream, number from spot.position where consumer = $1 and stream like $2`,
        // Positions of all partitions: the market may have been in another one.
        [CONSUMER, `%>${TOPICS.spotCommands}/%`],
      )
    ).map(({ stream, number }) => [stream, Number(number)]),
  );
  const begins = await firstKept(database, positions);
  const begin = await beginning(database, market, begins);
  const log: LoggedCommand[] = [];
  let rows = 0;
  for (const [stream, last] of positions) {
    for (let from = (begin.positions.get(stream) ?? 0) + 1; from <= last;) {
      const read = await database.query<{ number: string; payload: string }>(
        `select number, payload
          from ${schemaOfStream(stream)}.outbox
          where stream = $1 and number between $2 and $3
          order by number limit ${ROWS}`,
        [stream, from, last],
      );
      if (Number(read[0]?.number) !== from) throw new Error(`${stream} #${from} is not in the log`);
      for (const { number, payload } of read)
        for (const message of JSON.parse(payload) as Message[])
          if (message.key === symbol) log.push({ stream, number: Number(number), message });
      rows += read.length;
      from = Number(read.at(-1)?.number) + 1;
    }
  }
  const marks = new Map(
    (await database.query<OrderRow>(`select ${ORDER_COLUMNS} from spot.orders where symbol = $1`, [symbol])).map(
      (order) => [order.id, orderFromRow(market, order)],
    ),
  );
  const amends = await database.query<{ id: string; order_id: string; sequence: string; sequence_before: string }>(
    'select id, order_id, sequence, sequence_before from spot.amends where symbol = $1 order by sequence',
    [symbol],
  );
  const places = { orders: marks, amends: amends.map(amendMark) };
  const rebuilt = replayBook(market, makeBook, log, places, stored, begin.checkpoint);
  return {
    symbol,
    stored,
    rebuilt,
    rows,
    checkpoint: begin.taken,
    equal: rebuilt.stuck === null && rebuilt.hash === stored.hash && rebuilt.tradeSequence === stored.tradeSequence,
  };
}

const amendMark = (row: { id: string; order_id: string; sequence: string; sequence_before: string }): AmendMark => ({
  id: row.id,
  orderId: row.order_id,
  sequence: Number(row.sequence),
  sequenceBefore: Number(row.sequence_before),
});

async function readMarket(database: SqlReader, symbol: string): Promise<Market> {
  const rows = await database.query<{ kind: string; row: PairRow & CurrencyRow }>(
    `select kind, row from spot.reference where kind in ('pair', 'currency')`,
  );
  const pair = rows.find(({ kind, row }) => kind === 'pair' && row.symbol === symbol)?.row as PairRow | undefined;
  if (!pair) throw new Error(`there is no market ${symbol}`);
  const scaleOf = (id: number): number =>
    rows.find(({ kind, row }) => kind === 'currency' && row.id === id)?.row.scale ?? 0;
  const [noted] = await database.query<{ value: string }>('select value from spot.meta where name = $1', [ONE_OWNER]);
  return marketOf(pair, scaleOf, new Set((noted?.value ?? '').split(',').filter(Boolean).map(Number)));
}

/** First number of each stream that the outbox still has; one beyond the last if it has none. */
async function firstKept(
  database: SqlReader,
  positions: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const first = new Map<string, number>();
  for (const [stream, last] of positions) {
    const [row] = await database.query<{ number: string | null }>(
      `select min(number) as number from ${schemaOfStream(stream)}.outbox where stream = $1`,
      [stream],
    );
    first.set(stream, typeof row?.number === 'string' ? Number(row.number) : last + 1);
  }
  return first;
}

interface Beginning {
  readonly checkpoint: Checkpoint;
  readonly positions: ReadonlyMap<string, number>;
  readonly taken: Replay['checkpoint'];
}

/** Begins from zero if the log is complete, else at the earliest checkpoint after which it is. */
async function beginning(database: SqlReader, market: Market, first: ReadonlyMap<string, number>): Promise<Beginning> {
  if ([...first.values()].every((number) => number <= 1))
    return { checkpoint: FROM_ZERO, positions: new Map(), taken: null };
  const rows = await database.query<StoredCheckpoint>(
    `select sequence, taken_at, trade_sequence, last_price, mode, at, positions, orders
      from spot.checkpoint
      where symbol = $1
      order by sequence`,
    [market.symbol],
  );
  const fits = rows.find(({ positions }) =>
    [...first].every(([stream, number]) => (positions[stream] ?? 0) >= number - 1),
  );
  if (!fits)
    throw new Error(
      `the log of ${market.symbol} begins at ` +
        `${[...first].map(([stream, number]) => `${stream} #${number}`).join(', ')}, and no ` +
        'checkpoint reaches so far',
    );
  return {
    positions: new Map(Object.entries(fits.positions)),
    taken: { sequence: Number(fits.sequence), takenAt: fits.taken_at },
    checkpoint: {
      state: {
        sequence: Number(fits.sequence),
        tradeSequence: Number(fits.trade_sequence),
        lastPrice: ticksOf(market, fits.last_price),
        mode: fits.mode,
        at: fits.at.getTime(),
      },
      orders: fits.orders.map((order) =>
        orderFromRow(market, {
          ...order,
          placed_at: new Date(order.placed_at),
          updated_at: new Date(order.updated_at),
        }),
      ),
    },
  };
}
