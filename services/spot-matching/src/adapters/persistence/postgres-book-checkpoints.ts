import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { ORDER_COLUMNS, TRAILS } from './order-rows.js';
import { SpotDatabase } from './spot-database.js';

const EVERY_MS = 6 * 3_600_000;
/** Delay after a start: the books are loaded first, and the open orders should not be read twice at once. */
const FIRST_MS = 120_000;
/** Longer than the log keeps rows that were read, so that a kept log always meets a checkpoint. */
const KEPT_DAYS = 4;

/** Columns as text, as the driver returns them: JSON has no exact numbers. */
const ORDERS_AS_TEXT = ORDER_COLUMNS.split(',')
  .map((name) => name.trim())
  .map((name) =>
    /^(pair_id|side|time_in_force|self_trade|status|post_only|triggered|placed_at|updated_at)$/.test(name)
      ? name
      : `${name}::text as ${name}`,
  )
  .concat(
    `case when order_type = 'trailing_stop'
      then (select row_to_json(r) from (${TRAILS} r.order_id = orders.id) r) end as trail`,
  )
  .join(', ');

/**
 * Takes a checkpoint of every market regularly (invariants §2.5): in one statement, so that open orders, numbers and
 * positions are of one instant. Old days of the command log are dropped; `npm run replay` begins at the first
 * checkpoint that the kept log continues.
 */
@Injectable()
export class PostgresBookCheckpoints implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Checkpoints');
  private first: NodeJS.Timeout | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: SpotDatabase) {}

  onApplicationBootstrap(): void {
    this.first = setTimeout(() => void this.takeIfDue(), FIRST_MS).unref();
    this.timer = setInterval(() => void this.takeIfDue(), EVERY_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearTimeout(this.first);
    clearInterval(this.timer);
  }

  /** Several instances and restarts share the work: nothing is due while the last checkpoint is recent. */
  private async takeIfDue(): Promise<void> {
    try {
      const [last] = await this.database.query<{ young: boolean }>(
        `select max(taken_at) > now() - interval '${EVERY_MS / 2} ms' as young from checkpoint`,
      );
      if (last?.young !== true) await this.take();
    } catch (error) {
      this.logger.warn(`no checkpoint of the books could be taken: ${(error as Error).message}`);
    }
  }

  /**
   * Takes a checkpoint of all markets, and deletes outdated ones. A market without new commands keeps its checkpoint.
   */
  async take(): Promise<void> {
    const markets = await this.database.query<{ symbol: string }>('select symbol from market order by symbol');
    for (const { symbol } of markets) {
      await this.database.execute(
        `insert into checkpoint (symbol, sequence, trade_sequence, last_price, mode, at, hash, positions, orders)
         select m.symbol, m.sequence, m.trade_sequence, m.last_price, m.mode, m.at, m.hash,
           coalesce((select json_object_agg(p.stream, p.number)
               from position p
               where p.consumer = 'spot.engine' and p.stream like '%>spot.commands/%'),
             '{}'),
           coalesce((select json_agg(o order by o.sequence::bigint)
               from (select ${ORDERS_AS_TEXT} from orders where symbol = m.symbol and status = 1) o),
             '[]')
         from market m where m.symbol = $1
         -- Without a new command the state stands as it is; what was read of the streams has gone on.
         on conflict (symbol, sequence) do update set positions = excluded.positions`,
        [symbol],
      );
    }
    await this.database.execute(
      `delete from checkpoint c
        where c.taken_at < now() - interval '${KEPT_DAYS} days'
          and exists (select 1 from checkpoint d where d.symbol = c.symbol and d.sequence > c.sequence)`,
    );
  }
}
