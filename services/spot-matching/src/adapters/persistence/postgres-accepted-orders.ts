import { Injectable } from '@nestjs/common';
import type { Order } from '@bourse/matching';
import { AcceptedOrders } from '../../application/ports.js';
import { SpotDatabase } from './spot-database.js';

const KEPT_MS = 3_600_000;
const KEPT = `interval '${KEPT_MS} ms'`;
const WITHOUT_ROW = 'not exists (select 1 from orders o where o.id = a.order_id)';
/** Kept orders that one addition drops at most. */
const DROPPED_MAX = 100;

/** Accepted orders in the table `accepted`; each addition drops some of those whose rows have come. */
@Injectable()
export class PostgresAcceptedOrders extends AcceptedOrders {
  constructor(private readonly database: SpotDatabase) {
    super();
  }

  async add(orders: readonly Order[]): Promise<void> {
    await this.database.query(
      `with dropped as (
        delete from accepted where order_id in (
          select a.order_id from accepted a
          where a.at < now() - ${KEPT} or not ${WITHOUT_ROW} limit ${DROPPED_MAX} for update skip locked))
      insert into accepted (order_id, user_id, terms)
      select a.order_id, a.user_id, a.terms
      from unnest($1::bigint[], $2::bigint[], $3::text[]) as a(order_id, user_id, terms)
      where ${WITHOUT_ROW}
      on conflict (order_id) do nothing`,
      [orders.map(({ id }) => id), orders.map(({ userId }) => userId), orders.map(textOf)],
    );
  }

  async of(userId: number, maxAgeMs = KEPT_MS): Promise<readonly Order[]> {
    const rows = await this.database.query<{ terms: string }>(
      `select a.terms from accepted a
        where a.user_id = $1 and a.at >= now() - $2::double precision * interval '1 ms' and ${WITHOUT_ROW}`,
      [userId, maxAgeMs],
    );
    return rows.map(({ terms }) => orderFromText(terms));
  }
}

/** The fields of an order that are money. */
const UNITS: ReadonlySet<string> = new Set<keyof Order>([
  'held',
  'makerFee',
  'takerFee',
  'quoteFilled',
  'fee',
  'holdLeft',
]);
const textOf = (order: Order): string =>
  JSON.stringify(order, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
const orderFromText = (text: string): Order =>
  JSON.parse(text, (key, value: unknown) => (UNITS.has(key) ? BigInt(value as string) : value)) as Order;
