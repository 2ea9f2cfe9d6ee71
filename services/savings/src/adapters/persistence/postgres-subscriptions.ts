import { Injectable } from '@nestjs/common';
import { PERCENT_SCALE } from '@bourse/formulas';
import { formatTrimmed, toUnits } from '@bourse/money';
import { Conditions, readPage, type Tx } from '@bourse/persistence';
import type { Page } from '@bourse/platform';
import { SavingsDatabase } from '../../application/ports.js';
import { SubscriptionStore, type SubscriptionFilter } from '../../application/savings-ports.js';
import {
  accepted,
  type Accepted,
  type Agreement,
  type Subscription,
  type SubscriptionState,
} from '../../domain/subscription.js';
import type { Rows } from '@bourse/contract';

const AT = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;
const TIMES = ['created_at', 'start_at', 'end_at', 'ended_at'];
const COLUMNS = [
  ...['id', 'user_id', 'amount', 'rate', 'cancel_rate', 'profit'].map((name) => `s.${name}::text`),
  ...['currency_id', 'currency_name', 'scale', 'day', 'state'].map((name) => `s.${name}`),
  ...TIMES.map((name) => `round(extract(epoch from s.${name}) * 1000)::bigint as ${name}`),
].join(', ');

interface Stored extends Record<string, unknown> {
  readonly id: string;
  readonly user_id: string;
  readonly currency_id: number;
  readonly currency_name: string;
  readonly scale: number;
  readonly amount: string;
  readonly day: number;
  readonly rate: string;
  readonly cancel_rate: string;
  readonly profit: string;
  readonly state: SubscriptionState;
  readonly created_at: string | null;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly ended_at: string | null;
}
const msOf = (value: string | null): number | null => (value === null ? null : Number(value));
const subscriptionOf = (row: Stored): Subscription => ({
  id: row.id,
  userId: Number(row.user_id),
  currencyId: row.currency_id,
  currencyName: row.currency_name,
  scale: row.scale,
  amount: toUnits(row.amount, row.scale),
  day: row.day,
  rate: toUnits(row.rate, PERCENT_SCALE),
  cancelRate: toUnits(row.cancel_rate, PERCENT_SCALE),
  profit: toUnits(row.profit, row.scale),
  state: row.state,
  createdAt: msOf(row.created_at),
  startAt: msOf(row.start_at),
  endAt: msOf(row.end_at),
  endedAt: msOf(row.ended_at),
});
/** Reads a row that is not `waiting`: its times are all set. */
const acceptedOf = (row: Stored): Accepted => subscriptionOf(row) as Accepted;

@Injectable()
export class PostgresSubscriptions extends SubscriptionStore {
  constructor(private readonly database: SavingsDatabase) {
    super();
  }

  async lockReserved(tx: Tx, { userId, currencyId, scale }: Agreement): Promise<bigint> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`savings of ${userId} in ${currencyId}`]);
    const [row] = await tx.query<{ profit: string }>(
      `select trim_scale(coalesce(sum(profit), 0))::text as profit from subscription
         where user_id = $1 and currency_id = $2 and state in ('waiting', 'accruing')`,
      [userId, currencyId],
    );
    return toUnits(row!.profit, scale);
  }

  async insert(tx: Tx, agreement: Agreement): Promise<void> {
    const { id, userId, currencyId, currencyName, scale, amount, day, rate, cancelRate, profit } = agreement;
    await tx.execute(
      `insert into subscription (id, user_id, currency_id, currency_name, scale, amount, day, rate, cancel_rate, profit,
         state)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'waiting')`,
      [
        ...[id, userId, currencyId, currencyName, scale, formatTrimmed(amount, scale), day],
        ...[formatTrimmed(rate, PERCENT_SCALE), formatTrimmed(cancelRate, PERCENT_SCALE), formatTrimmed(profit, scale)],
      ],
    );
  }

  async accept(
    tx: Tx,
    outcomes: readonly { readonly object: string; readonly acceptedAt: number }[],
    dayMs: number,
  ): Promise<readonly Accepted[]> {
    const rows = await tx.query<Stored>(
      `select ${COLUMNS} from subscription s where s.id = any($1::bigint[]) order by s.id for update`,
      [outcomes.map(({ object }) => object)],
    );
    const waiting = new Map(rows.map((row) => [row.id, subscriptionOf(row)]));
    const taken = outcomes.map(({ object, acceptedAt }) => {
      const subscription = waiting.get(object);
      if (!subscription) throw new Error(`invariant: subscription ${object} is not there`);
      return accepted(subscription, acceptedAt, dayMs);
    });
    await tx.execute(
      `update subscription s set state = 'accruing', created_at = ${AT('n.created')}, start_at = ${AT('n.start')},
         end_at = ${AT('n.end_ms')}
       from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) as n(id, created, start, end_ms)
       where s.id = n.id`,
      [
        taken.map(({ id }) => id),
        taken.map(({ createdAt }) => createdAt),
        taken.map(({ startAt }) => startAt),
        taken.map(({ endAt }) => endAt),
      ],
    );
    return taken;
  }

  async drop(tx: Tx, id: string): Promise<void> {
    const dropped = await tx.execute(`delete from subscription where id = $1 and state = 'waiting'`, [id]);
    if (dropped !== 1) throw new Error(`invariant: subscription ${id} does not wait for the ledger`);
  }

  async lock(tx: Tx, id: string): Promise<Accepted | null> {
    const [row] = await tx.query<Stored>(
      `select ${COLUMNS} from subscription s where s.id = $1::bigint and s.state <> 'waiting' for update`,
      [id],
    );
    return row ? acceptedOf(row) : null;
  }

  async lockDue(tx: Tx, until: number, limit: number): Promise<readonly Accepted[]> {
    const rows = await tx.query<Stored>(
      `select ${COLUMNS} from subscription s where s.state = 'accruing' and s.end_at <= ${AT('$1')}
       order by s.end_at, s.id limit $2 for update`,
      [until, limit],
    );
    return rows.map(acceptedOf);
  }

  async saveEnded(tx: Tx, ended: readonly Accepted[]): Promise<void> {
    const changed = await tx.execute(
      `update subscription s set state = n.state, ended_at = ${AT('n.ended')}
       from unnest($1::bigint[], $2::text[], $3::bigint[]) as n(id, state, ended)
       where s.id = n.id and s.state = 'accruing'`,
      [ended.map(({ id }) => id), ended.map(({ state }) => state), ended.map(({ endedAt }) => endedAt)],
    );
    if (changed !== ended.length) throw new Error('invariant: a subscription has ended twice');
  }

  async list({ userId, state }: SubscriptionFilter, page: Page): Promise<Rows<Accepted>> {
    const { where, params } = new Conditions()
      .addText(`s.state <> 'waiting'`)
      .add('s.user_id = ?', userId)
      .add('s.state = ?', state);
    const list = { columns: COLUMNS, from: 'subscription s', where, params, orderBy: 's.created_at desc, s.id desc' };
    const { rows, total } = await readPage<Stored>(this.database, list, page);
    return { rows: rows.map(acceptedOf), total };
  }
}
