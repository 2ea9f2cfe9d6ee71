import { Injectable } from '@nestjs/common';
import type { ExportPiece } from '@bourse/messaging';
import { TradeExport } from '../../application/trade-export.js';
import { SpotDatabase } from './spot-database.js';
import { lastTradeBefore } from './trade-times.js';

const PIECE = 1_000;
const COLUMNS = [
  'symbol',
  'sequence',
  'time',
  'price',
  'quantity',
  'total',
  'taker_side',
  'buyer_id',
  'seller_id',
  'buy_order_id',
  'sell_order_id',
  'buyer_fee',
  'seller_fee',
];
const ROW = `array[symbol, sequence::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  price::text, quantity::text, quote::text, case taker_side when 0 then 'buy' else 'sell' end,
  buyer_id::text, seller_id::text, buy_order_id::text, sell_order_id::text, buyer_fee::text, seller_fee::text]`;

/** Trades as text. */
@Injectable()
export class PostgresTradeExport extends TradeExport {
  constructor(private readonly database: SpotDatabase) {
    super();
  }

  async piece(from: number, to: number, after: string | null): Promise<ExportPiece> {
    const at = after?.lastIndexOf('|') ?? -1;
    const [market, reached] = after === null ? ['', 0] : [after.slice(0, at), Number(after.slice(at + 1))];
    const markets = await this.database.query<{ symbol: string; last: string }>(
      'select symbol, max(sequence) as last from trades where symbol >= $1 group by symbol order by symbol',
      [market],
    );
    for (const { symbol, last } of markets) {
      const first = symbol === market ? reached : await lastTradeBefore(this.database, symbol, Number(last), from);
      const rows = await this.database.query<{ sequence: string; fields: string[] }>(
        `select sequence, ${ROW} as fields
          from trades
          where symbol = $1 and sequence > $2 and sequence <= $3 and at < $4
          order by sequence`,
        [symbol, first, first + PIECE, new Date(to)],
      );
      const end = rows.at(-1);
      if (end) return { columns: COLUMNS, rows: rows.map(({ fields }) => fields), after: `${symbol}|${end.sequence}` };
    }
    return { columns: COLUMNS, rows: [], after: null };
  }
}
