import { Injectable } from '@nestjs/common';
import {
  digestsOf,
  flowOf,
  HOLD_BUCKET,
  type AuditedHold,
  type AuditFlow,
  type MovedSums,
  type TradedSums,
  type TradeSpan,
} from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { AuditReads, type AuditedMarket, type AuditedOrder, type AuditSnapshot } from '../../application/ports.js';
import { lotsOf, ticksOf, type Market } from '@bourse/matching';
import { SpotDatabase } from './spot-database.js';

/** Trades per block, the same in all services that compare them. */
const BLOCK = 1_000;
/** Orders whose states are checked in one round. */
const STATES_AT_ONCE = 50_000;
/** A trade comes after its order was stored; clocks of two processes may differ by this much. */
const CLOCKS_APART = `interval '1 minute'`;
const WAITING = `(order_type in ('stop_limit', 'stop_market', 'trailing_stop') and not triggered)`;
/** Orders that need a hold: name, currency, amount, and a version. $1 symbols, $2 their quotes, $3 their bases. */
const NEEDED = `
  select 'order:' || o.id as hold, case when o.side = 0 then m.quote else m.base end as currency, o.hold_left as amount,
    o.filled::text || '/' || o.sequence as version
  from orders o
  join unnest($1::text[], $2::int[], $3::int[]) as m(symbol, quote, base) using (symbol)
  where o.status = 1 and o.hold_left > 0`;
const needed = (markets: readonly Market[]): unknown[] => [
  markets.map(({ symbol }) => symbol),
  markets.map(({ quoteId }) => quoteId),
  markets.map(({ baseId }) => baseId),
];

@Injectable()
export class PostgresAuditReads extends AuditReads {
  constructor(private readonly database: SpotDatabase) {
    super();
  }

  inSnapshot<T>(look: (snapshot: AuditSnapshot) => Promise<T>): Promise<T> {
    return this.database.transaction((tx) => look(snapshotOf(tx)), { isolation: 'repeatable read' });
  }

  async holdDigests(markets: readonly Market[]): Promise<readonly string[]> {
    return digestsOf(
      await this.database.query(
        `select ${HOLD_BUCKET.replaceAll('$hold', 'n.hold')} as bucket, count(*) as count,
            sum(hashtextextended(n.hold || ' ' || n.currency || ' ' || trim_scale(n.amount)::text, 0))::text as sum
          from (${NEEDED}) n
          group by 1`,
        needed(markets),
      ),
    );
  }

  holdLines(
    markets: readonly Market[],
    buckets: readonly number[],
  ): Promise<{ lines: AuditedHold[]; flow: AuditFlow }> {
    return this.database.transaction(
      async (tx) => ({
        lines: await tx.query<AuditedHold & Record<string, unknown>>(
          `select n.hold, n.currency, n.amount::text as amount, n.version
            from (${NEEDED}) n
            where ${HOLD_BUCKET.replaceAll('$hold', 'n.hold')} = any($4::int[])`,
          [...needed(markets), buckets],
        ),
        flow: await flowOf(tx),
      }),
      { isolation: 'repeatable read' },
    );
  }

  async trades(
    market: Market,
    { symbol, from, to, each = false }: TradeSpan,
  ): Promise<{ moved: MovedSums[]; traded: TradedSums[] }> {
    const rows = await this.database.query<
      Record<
        | 'trades'
        | 'first'
        | 'prices'
        | 'quantities'
        | 'prices_by_place'
        | 'quantities_by_place'
        | `${'b' | 'q'}${'n' | 's' | 'o' | 'p'}`,
        string
      >
    >(
      `select (t.sequence - 1) / $4::bigint * $4::bigint + 1 as first, count(*) as trades,
         ${units('sum(t.price)', 'prices')}, ${units('sum(t.quantity)', 'quantities')},
           ${units('sum(t.price * t.place)', 'prices_by_place')},
           ${units('sum(t.quantity * t.place)', 'quantities_by_place')},
         ${units('sum(t.bought - t.quantity)', 'bn')}, ${units('sum(t.bought + t.quantity)', 'bs')},
           ${units('sum(t.bought * t.buyer - t.quantity * t.seller)', 'bo')},
           ${units('sum((t.bought + t.quantity) * t.place)', 'bp')},
         ${units('sum(t.earned - t.quote)', 'qn')}, ${units('sum(t.earned + t.quote)', 'qs')},
           ${units('sum(t.earned * t.seller - t.quote * t.buyer)', 'qo')},
           ${units('sum((t.earned + t.quote) * t.place)', 'qp')}
       from (select sequence, sequence % ${BLOCK} as place, price, quantity, quote, quantity - buyer_fee as bought,
         quote - seller_fee as earned, buyer_id % 10007 + 1 as buyer, seller_id % 10007 + 1 as seller
         from trades where symbol = $1 and sequence between $2 and $3) t group by 1 order by 1`,
      [symbol, from, to, each ? 1 : BLOCK],
    );
    return {
      moved: rows.map((row): MovedSums => ({
        from: Number(row.first),
        sides: 2 * Number(row.trades),
        sums: { [market.baseId]: [row.bn, row.bs, row.bo, row.bp], [market.quoteId]: [row.qn, row.qs, row.qo, row.qp] },
      })),
      traded: rows.map((row): TradedSums => ({
        from: Number(row.first),
        trades: Number(row.trades),
        sums: [row.prices, row.quantities, row.prices_by_place, row.quantities_by_place],
      })),
    };
  }
}

/** Price of an order at trade `t`: the price before the first amend that came after the trade. */
const limitThen = (order: string): string =>
  `coalesce((select a.price_before from amends a where a.order_id = ${order}.id and a.trade_sequence >= t.sequence
    order by a.sequence limit 1), ${order}.price)`;

/** The hold of an order with a limit price, by `m.quote_scale`: a sell its amount, a buy its price times its amount. */
const needOf = (order: string): string =>
  `case when ${order}.side = 1 then ${order}.quantity
    else ceil(${order}.price * ${order}.quantity * (10::numeric ^ m.quote_scale)) / (10::numeric ^ m.quote_scale) end`;
/** Whether order `o` holds something else than it needs by itself. */
const PLAIN_NEED_WRONG = `
  (o.side = 1 and (o.held <> o.quantity or o.hold_left <> o.quantity - o.filled))
    or (o.side = 0 and o.filled = 0 and o.hold_left <> o.held)
    or (o.side = 0 and o.order_type in ('limit', 'stop_limit') and o.held <> ${needOf('o')})`;

/** Exact: no sum here has more than eighteen decimals. */
const units = (sum: string, name: string): string => `trunc(${sum} * 1e18)::text as ${name}`;

function snapshotOf(tx: Tx): AuditSnapshot {
  return {
    flow: () => flowOf(tx),
    async markets() {
      const rows = await tx.query<{ symbol: string; sequence: string; trade_sequence: string; hash: string }>(
        'select symbol, sequence, trade_sequence, hash from market order by symbol',
      );
      return rows.map((row): AuditedMarket => ({
        symbol: row.symbol,
        sequence: Number(row.sequence),
        tradeSequence: Number(row.trade_sequence),
        hash: row.hash,
      }));
    },
    async openPrint(symbol) {
      const [row] = await tx.query<{ print: string; count: string }>(
        `select count(*) as count,
            coalesce(sum(hashtextextended(concat_ws('|', id, side, price, stop_price, quantity, filled, sequence,
                  triggered, held, hold_left),
                0)),
              0)::text as print
          from orders
          where symbol = $1 and status = 1`,
        [symbol],
      );
      return { print: row?.print ?? '', count: Number(row?.count ?? 0) };
    },
    async openOrders(market, after, limit) {
      const rows = await tx.query<{
        id: string;
        side: 0 | 1;
        price: string;
        sequence: string;
        quantity: string;
        filled: string;
        waiting: boolean;
      }>(
        `select id, side, price, sequence, quantity, filled, ${WAITING} as waiting
          from orders
          where symbol = $1 and status = 1 and sequence > $2
          order by sequence limit ${limit}`,
        [market.symbol, after],
      );
      return rows.map((row): AuditedOrder => ({
        id: row.id,
        side: row.side,
        price: ticksOf(market, row.price),
        sequence: Number(row.sequence),
        quantity: lotsOf(market, row.quantity),
        filled: lotsOf(market, row.filled),
        waiting: row.waiting,
      }));
    },
    async newTradesWrong(symbol, from, to) {
      const [numbers] = await tx.query<{ count: string; last: string }>(
        'select count(*) as count, coalesce(max(sequence), 0) as last from trades where symbol = $1 and sequence > $2',
        [symbol, from],
      );
      if (Number(numbers?.count) !== to - from || (to > from && Number(numbers?.last) !== to))
        return (
          `${symbol} counts ${to - from} trades after ${from}, ` + `${numbers?.count} are stored up to ${numbers?.last}`
        );
      // An amend changes the limit only for the trades after it.
      const [worse] = await tx.query<{ sequence: string; id: string }>(
        `select t.sequence, case when t.price > ${limitThen('b')} and b.price > 0 then b.id else s.id end as id
          from trades t
          left join orders b on b.id = t.buy_order_id
          left join orders s on s.id = t.sell_order_id
         where t.symbol = $1 and t.sequence > $2
           and (b.id is null or s.id is null or b.user_id <> t.buyer_id or s.user_id <> t.seller_id
             or (b.price > 0 and t.price > ${limitThen('b')}) or (s.price > 0 and t.price < ${limitThen('s')}))
         order by t.sequence limit 1`,
        [symbol, from],
      );
      return worse
        ? `trade ${worse.sequence} of ${symbol} is worse than the limit of order ${worse.id}, or not theirs`
        : null;
    },
    async fillsUnexplained() {
      const rows = await tx.query<{ id: string }>(
        `select o.id from orders o where o.status = 1 and o.filled > 0 and o.filled <> (
           select coalesce(sum(t.quantity), 0) from trades t
           where t.at >= o.placed_at - ${CLOCKS_APART}
             and case when o.side = 0 then t.buyer_id = o.user_id and t.buy_order_id = o.id else t.seller_id = o.user_id
               and t.sell_order_id = o.id end)
           limit 10`,
      );
      return rows.map(({ id }) => id);
    },
    async statesWrong(after) {
      const [page] = await tx.query<{ last: string | null; count: string }>(
        `select max(id) as last, count(*) as count
          from (select id from orders where id > $1 order by id limit ${STATES_AT_ONCE}) p`,
        [after],
      );
      const [row] = await tx.query<{ id: string; status: number; reason: string; filled: string; quantity: string }>(
        `select id, status, reason, filled::text, quantity::text
          from orders
          where id > $1 and id <= coalesce($2::bigint, 0) and (
           (status = 1 and (reason <> '' or filled >= quantity))
             or (status = 2 and (filled = quantity) <> (reason = '')) or (filled = 0 and (quote_filled > 0 or fee > 0))
           or reason not in
             ('', 'user', 'ioc', 'fok', 'post_only', 'stp', 'market', 'operator', 'oco', 'balance')) limit 1`,
        [after, page?.last ?? null],
      );
      return {
        fault: row
          ? `order ${row.id} has status ${row.status} with reason ` +
            `'${row.reason}', ${row.filled} of ${row.quantity} filled`
          : null,
        last: Number(page?.count ?? 0) < STATES_AT_ONCE ? null : (page?.last ?? null),
      };
    },
    async needsWrong(markets) {
      // The hold of an order is fixed when it is placed: a sell holds its amount, a limit buy its price times its
      // amount, rounded up. Fills reduce it. Of a complete pair the limit leg holds for both, and the stop leg nothing:
      // `case` reads the other leg for orders of pairs only.
      const [row] = await tx.query<{ id: string; held: string; hold_left: string }>(
        `select o.id, o.held::text, o.hold_left::text
          from orders o
          join unnest($1::text[], $2::int[]) as m(symbol, quote_scale) using (symbol)
         where o.status = 1 and case
           when o.link_id = 0 then ${PLAIN_NEED_WRONG}
           when ${WAITING} then o.held <> 0 or o.hold_left <> 0 or not exists (
             select 1 from orders l
             where l.id = o.link_id and l.status = 1 and l.link_id = o.id and l.filled = 0 and l.quantity = o.quantity
               and l.hold_left = l.held and l.held >= ${needOf('l')}
               and (o.order_type = 'stop_market' or l.held = greatest(${needOf('l')}, ${needOf('o')})))
           when exists (select 1 from orders l where l.id = o.link_id and l.status = 1) then o.order_type <> 'limit'
           else ${PLAIN_NEED_WRONG} end
           limit 1`,
        [markets.map(({ symbol }) => symbol), markets.map(({ quoteScale }) => quoteScale)],
      );
      return row ? `order ${row.id} holds ${row.hold_left} of ${row.held}, which is not what it needs` : null;
    },
  };
}
