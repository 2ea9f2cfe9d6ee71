import { Injectable } from '@nestjs/common';
import { AuditReads } from '../../application/ports.js';
import type { Market } from '../../domain/market.js';
import type { Order } from '../../domain/order.js';
import { ORDER_COLUMNS, orderFromRow, type OrderRow } from './order-rows.js';
import { SpotDatabase } from './spot-database.js';

@Injectable()
export class PostgresAuditReads extends AuditReads {
  constructor(private readonly database: SpotDatabase) { super(); }

  book(market: Market): Promise<{ sequence: number; orders: Order[] } | null> {
    return this.database.transaction(async (tx) => {
      const [row] = await tx.query<{ sequence: string }>('select sequence from market where symbol = $1', [market.symbol]);
      if (!row) return null;
      const orders = await tx.query<OrderRow>(`select ${ORDER_COLUMNS} from orders where symbol = $1 and status = 1 order by sequence`, [market.symbol]);
      return { sequence: Number(row.sequence), orders: orders.map((order) => orderFromRow(market, order)) };
    }, { isolation: 'repeatable read' });
  }

  async tradeGaps(): Promise<string[]> {
    const rows = await this.database.query<{ symbol: string; counter: string; trades: string; last: string }>(
      `select m.symbol, m.trade_sequence as counter, count(t.sequence) as trades, coalesce(max(t.sequence), 0) as last
       from market m left join trades t on t.symbol = m.symbol and t.sequence <= m.trade_sequence + 1
       group by m.symbol, m.trade_sequence having count(t.sequence) <> m.trade_sequence or coalesce(max(t.sequence), 0) <> m.trade_sequence`);
    return rows.map((row) => `${row.symbol} counts ${row.counter} trades, ${row.trades} are stored up to ${row.last}`);
  }

  async fillsUnexplained(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `select o.id from orders o where o.status = 1 and o.filled <> (
         select coalesce(sum(t.quantity), 0) from trades t
         where case when o.side = 0 then t.buyer_id = o.user_id and t.buy_order_id = o.id else t.seller_id = o.user_id and t.sell_order_id = o.id end) and o.filled > 0 limit 10`);
    return rows.map((row) => row.id);
  }
}
