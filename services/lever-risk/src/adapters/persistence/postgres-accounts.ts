import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import {
  AccountStore,
  LeverDatabase,
  type AccountName,
  type AccountRow,
  type Claimant,
  type InFlight,
  type Partition,
} from '../../application/ports.js';

interface Row extends Record<string, unknown> {
  readonly user_id: string;
  readonly quote: number;
  readonly version: string;
}
const rowOf = ({ user_id: userId, quote, version }: Row): AccountRow => ({
  userId: Number(userId),
  quote,
  version: Number(version),
});

/** A call gets no account that is reserved for risk; a claim for risk ends the reservation. */
const CLAIM_SQL = `update risk_account set claim = $3, claim_until = clock_timestamp() + $4 * interval '1 ms',
    risk_until = case when $5 then null else risk_until end
  where user_id = $1 and quote = $2 and in_flight is null and (claim is null or claim_until < clock_timestamp())
    and ($5 or risk_until is null or risk_until < clock_timestamp())
  returning user_id::text, quote, version::text`;

@Injectable()
export class PostgresAccounts extends AccountStore {
  constructor(private readonly database: LeverDatabase) {
    super();
  }

  async claim({ userId, quote }: AccountName, token: string, forMs: number, by: Claimant): Promise<AccountRow | null> {
    const params = [userId, quote, token, forMs, by === 'risk'];
    const [row] = await this.database.query<Row>(CLAIM_SQL, params);
    if (row) return rowOf(row);
    const made = await this.database.execute(
      'insert into risk_account (user_id, quote) values ($1, $2) on conflict do nothing',
      [userId, quote],
    );
    if (made === 0) return null;
    const [first] = await this.database.query<Row>(CLAIM_SQL, params);
    return first ? rowOf(first) : null;
  }

  async reserve({ userId, quote }: AccountName, forMs: number): Promise<void> {
    await this.database.execute(
      `update risk_account set risk_until = clock_timestamp() + $3 * interval '1 ms'
       where user_id = $1 and quote = $2`,
      [userId, quote, forMs],
    );
  }

  async release({ userId, quote }: AccountName, token: string): Promise<void> {
    await this.database.execute(
      'update risk_account set claim = null, claim_until = null where user_id = $1 and quote = $2 and claim = $3',
      [userId, quote, token],
    );
  }

  async commit(
    tx: Tx,
    { userId, quote, version }: AccountRow,
    token: string,
    inFlight: string | null,
  ): Promise<boolean> {
    const changed = await tx.execute(
      `update risk_account set claim = null, claim_until = null, in_flight = $5, version = version + 1,
         touched_at = clock_timestamp()
       where user_id = $1 and quote = $2 and claim = $3 and claim_until > clock_timestamp() and version = $4`,
      [userId, quote, token, version, inFlight],
    );
    return changed === 1;
  }

  async settleInFlight(tx: Tx, accounts: readonly InFlight[]): Promise<void> {
    await tx.execute(
      `with landed as (
         select a.user_id, a.quote
         from risk_account a
         join unnest($1::bigint[], $2::int[], $3::text[]) as n(user_id, quote, in_flight)
           using (user_id, quote, in_flight)
         order by 1, 2 for update of a)
       update risk_account a set in_flight = null, version = version + 1, touched_at = clock_timestamp()
       from landed where a.user_id = landed.user_id and a.quote = landed.quote`,
      [accounts.map(({ userId }) => userId), accounts.map(({ quote }) => quote), accounts.map((one) => one.inFlight)],
    );
  }

  async touch(tx: Tx, accounts: readonly AccountName[]): Promise<void> {
    const params = [accounts.map(({ userId }) => userId), accounts.map(({ quote }) => quote)];
    await tx.query(
      `select 1 from risk_account
       where (user_id, quote) in (select * from unnest($1::bigint[], $2::int[])) order by user_id, quote for update`,
      params,
    );
    await tx.execute(
      `update risk_account set version = version + 1, touched_at = clock_timestamp()
       where (user_id, quote) in (select * from unnest($1::bigint[], $2::int[]))`,
      params,
    );
  }

  async changed({ part, of }: Partition, withinMs: number | null): Promise<readonly AccountRow[]> {
    const columns = 'a.user_id::text, a.quote, a.version::text';
    const rows =
      withinMs === null
        ? await this.database.query<Row>(
            `select ${columns} from risk_account a join (
               select distinct user_id, quote from lever_position
               where status in (0, 1, 2) and user_id % $1 = $2) p using (user_id, quote)`,
            [of, part],
          )
        : await this.database.query<Row>(
            `select ${columns} from risk_account a
             where a.user_id % $1 = $2 and a.touched_at > clock_timestamp() - $3 * interval '1 ms'`,
            [of, part, withinMs],
          );
    return rows.map(rowOf);
  }
}
