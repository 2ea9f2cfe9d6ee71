import { Injectable } from '@nestjs/common';
import type { Rows } from '@bourse/contract';
import { formatTrimmed, toUnits } from '@bourse/money';
import { readPage, type Tx } from '@bourse/persistence';
import { PointsStore } from '../application/points-ports.js';
import { PointsDatabase } from '../../shared/application/database.js';
import { emptyAccount, type PointsAccount, POINTS_SCALE } from '../domain/points-account.js';
import type { Binding, BindingState } from '../domain/points-binding.js';
import type { PointsExchange } from '../domain/points-exchange.js';

const AT = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;
const MS = (column: string): string => `round(extract(epoch from ${column}) * 1000)::bigint as ${column}`;
const ACCOUNT = 'user_id::text, total::text, fresh::text, fresh_day';
const BINDING = `reference::text, user_id::text, user_name, account, points::text, free::text, state,
  ${MS('bound_at')}`;
const EXCHANGE = `id::text, user_id::text, points::text, currency_id, currency_name, scale, coins::text,
  fact_price::text, state, ${MS('created_at')}`;

interface StoredAccount extends Record<string, unknown> {
  readonly user_id: string;
  readonly total: string;
  readonly fresh: string;
  readonly fresh_day: number;
}
interface StoredBinding extends Record<string, unknown> {
  readonly reference: string;
  readonly user_id: string;
  readonly user_name: string;
  readonly account: string | null;
  readonly points: string;
  readonly free: string;
  readonly state: BindingState;
  readonly bound_at: string | null;
}
interface StoredExchange extends Record<string, unknown> {
  readonly id: string;
  readonly user_id: string;
  readonly points: string;
  readonly currency_id: number;
  readonly currency_name: string;
  readonly scale: number;
  readonly coins: string;
  readonly fact_price: string;
  readonly state: PointsExchange['state'];
  readonly created_at: string;
}

const units = (text: string): bigint => toUnits(text, POINTS_SCALE);
const written = (points: bigint): string => formatTrimmed(points, POINTS_SCALE);

const accountOf = ({ user_id, total, fresh, fresh_day }: StoredAccount): PointsAccount => ({
  userId: Number(user_id),
  total: units(total),
  fresh: units(fresh),
  freshDay: fresh_day,
});
const bindingOf = (row: StoredBinding): Binding => ({
  reference: row.reference,
  userId: Number(row.user_id),
  userName: row.user_name,
  account: row.account,
  points: units(row.points),
  free: units(row.free),
  state: row.state,
  boundAt: row.bound_at === null ? null : Number(row.bound_at),
});
const exchangeOf = (row: StoredExchange): PointsExchange => ({
  id: row.id,
  userId: Number(row.user_id),
  points: units(row.points),
  currencyId: row.currency_id,
  currencyName: row.currency_name,
  scale: row.scale,
  coins: toUnits(row.coins, row.scale),
  factPrice: units(row.fact_price),
  state: row.state,
  createdAt: Number(row.created_at),
});

@Injectable()
export class PostgresPoints extends PointsStore {
  constructor(private readonly database: PointsDatabase) {
    super();
  }

  async lockAccounts(tx: Tx, userIds: readonly number[]): Promise<readonly PointsAccount[]> {
    await tx.execute(
      `insert into points_account (user_id, total, fresh, fresh_day)
       select id, 0, 0, 0 from unnest($1::bigint[]) ids (id) order by id on conflict do nothing`,
      [userIds],
    );
    const rows = await tx.query<StoredAccount>(
      `select ${ACCOUNT} from points_account where user_id = any($1::bigint[])
       order by points_account.user_id for update`,
      [userIds],
    );
    return rows.map(accountOf);
  }

  async saveAccounts(tx: Tx, accounts: readonly PointsAccount[]): Promise<void> {
    await tx.execute(
      `update points_account a set total = s.total, fresh = s.fresh, fresh_day = s.fresh_day
       from unnest($1::bigint[], $2::numeric[], $3::numeric[], $4::int[]) s (user_id, total, fresh, fresh_day)
       where a.user_id = s.user_id`,
      [
        accounts.map(({ userId }) => userId),
        accounts.map(({ total }) => written(total)),
        accounts.map(({ fresh }) => written(fresh)),
        accounts.map(({ freshDay }) => freshDay),
      ],
    );
  }

  async account(userId: number): Promise<PointsAccount> {
    const [row] = await this.database.query<StoredAccount>(`select ${ACCOUNT} from points_account where user_id = $1`, [
      userId,
    ]);
    return row ? accountOf(row) : emptyAccount(userId);
  }

  async binding(userId: number): Promise<Binding | null> {
    const [row] = await this.database.query<StoredBinding>(`select ${BINDING} from points_binding where user_id = $1`, [
      userId,
    ]);
    return row ? bindingOf(row) : null;
  }

  async insertBinding(tx: Tx, { reference, userId, userName, state }: Binding): Promise<boolean> {
    const stored = await tx.execute(
      `insert into points_binding (reference, user_id, user_name, points, free, state) values ($1, $2, $3, 0, 0, $4)
       on conflict (user_id) do nothing`,
      [reference, userId, userName, state],
    );
    return stored === 1;
  }

  async lockBinding(tx: Tx, reference: string): Promise<Binding | null> {
    const [row] = await tx.query<StoredBinding>(
      `select ${BINDING} from points_binding where points_binding.reference = $1 for update`,
      [reference],
    );
    return row ? bindingOf(row) : null;
  }

  async saveBinding(tx: Tx, { reference, account, points, free, state, boundAt }: Binding): Promise<boolean> {
    if (account !== null) {
      // Two transactions that bind one account wait here for one another, and the index below holds in any case.
      await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`points_binding ${account}`]);
      const taken = await tx.query('select 1 from points_binding where account = $1 and reference <> $2', [
        account,
        reference,
      ]);
      if (taken.length > 0) return false;
    }
    await tx.execute(
      `update points_binding set account = $2, points = $3, free = $4, state = $5, bound_at = ${AT('$6')}
       where reference = $1`,
      [reference, account, written(points), written(free), state, boundAt],
    );
    return true;
  }

  async dropBinding(tx: Tx, reference: string): Promise<void> {
    await tx.execute(`delete from points_binding where reference = $1 and state in ('asking', 'voiding')`, [reference]);
  }

  async abandoned(askedForMs: number, limit: number): Promise<readonly string[]> {
    const rows = await this.database.query<{ reference: string }>(
      `select reference::text from points_binding
       where state = 'voiding' or (state = 'asking' and asked_at < now() - $1 * interval '1 millisecond')
       order by asked_at limit $2`,
      [askedForMs, limit],
    );
    return rows.map(({ reference }) => reference);
  }

  async untold(limit: number): Promise<readonly number[]> {
    const rows = await this.database.query<{ user_id: string }>(
      `select user_id::text from points_binding where state = 'bound' and not told order by user_id limit $1`,
      [limit],
    );
    return rows.map(({ user_id }) => Number(user_id));
  }

  async markTold(userId: number): Promise<void> {
    await this.database.execute(`update points_binding set told = true where user_id = $1 and state = 'bound'`, [
      userId,
    ]);
  }

  async insertExchange(tx: Tx, exchange: PointsExchange): Promise<void> {
    const { id, userId, points, currencyId, currencyName, scale, coins, factPrice, state, createdAt } = exchange;
    await tx.execute(
      `insert into points_exchange (id, user_id, points, currency_id, currency_name, scale, coins, fact_price, state,
         created_at)
       values ($1::bigint, $2, $3, $4, $5, $6, $7, $8, $9, ${AT('$10')})`,
      [
        ...[id, userId, written(points), currencyId, currencyName, scale, formatTrimmed(coins, scale)],
        ...[written(factPrice), state, createdAt],
      ],
    );
  }

  async waitingExchange(tx: Tx, id: string): Promise<PointsExchange> {
    const [row] = await tx.query<StoredExchange>(
      `select ${EXCHANGE} from points_exchange where points_exchange.id = $1::bigint and state = 'waiting' for update`,
      [id],
    );
    if (!row) throw new Error(`invariant: exchange ${id} does not wait for the ledger`);
    return exchangeOf(row);
  }

  async finishExchange(tx: Tx, id: string, at: number): Promise<PointsExchange> {
    const exchange: PointsExchange = { ...(await this.waitingExchange(tx, id)), state: 'done', createdAt: at };
    await tx.execute(`update points_exchange set state = 'done', created_at = ${AT('$2')} where id = $1::bigint`, [
      id,
      at,
    ]);
    return exchange;
  }

  async dropExchange(tx: Tx, id: string): Promise<void> {
    await tx.execute(`delete from points_exchange where id = $1::bigint and state = 'waiting'`, [id]);
  }

  async exchanges(
    userId: number,
    page: { readonly size: number; readonly offset: number },
  ): Promise<Rows<PointsExchange>> {
    const list = {
      columns: EXCHANGE,
      from: 'points_exchange',
      where: `user_id = $1 and state = 'done'`,
      params: [userId],
      orderBy: 'points_exchange.created_at desc, points_exchange.id desc',
    };
    const { rows, total } = await readPage<StoredExchange>(this.database, list, page);
    return { rows: rows.map(exchangeOf), total };
  }
}
