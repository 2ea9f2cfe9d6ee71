import { Injectable } from '@nestjs/common';
import { formatTrimmed, toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { AccrualStore, type DayPoints, type FeeValue, type UnvaluedFee } from '../application/accrual-ports.js';
import { POINTS_SCALE } from '../domain/points-account.js';
import { VALUE_SCALE } from '../domain/points-accrual.js';

const signed = (units: bigint): string =>
  units < 0n ? `-${formatTrimmed(-units, VALUE_SCALE)}` : formatTrimmed(units, VALUE_SCALE);
const valueOf = (text: string): bigint =>
  text.startsWith('-') ? -toUnits(text.slice(1), VALUE_SCALE) : toUnits(text, VALUE_SCALE);

@Injectable()
export class PostgresAccrual extends AccrualStore {
  async nextDay(tx: Tx): Promise<number | null> {
    // Shared: fees of several batches may come at once, and none while a day is closed.
    const [row] = await tx.query<{ next_day: number }>('select next_day from points_books for share');
    return row?.next_day ?? null;
  }

  async begin(tx: Tx, day: number): Promise<boolean> {
    const stored = await tx.execute('insert into points_books (next_day) values ($1) on conflict do nothing', [day]);
    return stored === 1;
  }

  async close(tx: Tx, day: number): Promise<boolean> {
    return (await tx.execute('update points_books set next_day = $1 + 1 where next_day = $1', [day])) === 1;
  }

  async add(tx: Tx, fees: readonly FeeValue[]): Promise<void> {
    if (fees.length === 0) return;
    const added = await tx.execute(
      `insert into points_fees as f (day, user_id, value)
       select * from unnest($1::int[], $2::bigint[], $3::numeric[])
       on conflict (day, user_id) do update set value = f.value + excluded.value where f.state = 'open'`,
      [fees.map(({ day }) => day), fees.map(({ userId }) => userId), fees.map(({ value }) => signed(value))],
    );
    if (added !== fees.length) throw new Error('invariant: fees came for a day that is booked');
  }

  async keepUnvalued(tx: Tx, fees: readonly UnvaluedFee[]): Promise<void> {
    if (fees.length === 0) return;
    await tx.execute(
      `insert into points_unvalued (journal, user_id, currency_id, amount, at)
       select j, u, c, a, to_timestamp(t / 1000)
       from unnest($1::text[], $2::bigint[], $3::int[], $4::numeric[], $5::float8[]) f (j, u, c, a, t)`,
      [
        fees.map(({ journal }) => journal),
        fees.map(({ userId }) => userId),
        fees.map(({ currencyId }) => currencyId),
        fees.map(({ amount }) => amount),
        fees.map(({ at }) => at),
      ],
    );
  }

  async takeUnvalued(tx: Tx, limit: number): Promise<readonly UnvaluedFee[]> {
    const rows = await tx.query<{ journal: string; user_id: string; currency_id: number; amount: string; at: string }>(
      `delete from points_unvalued where id in (select id from points_unvalued order by id limit $1)
       returning journal, user_id::text, currency_id, trim_scale(amount)::text as amount,
         round(extract(epoch from at) * 1000)::bigint::text as at`,
      [limit],
    );
    return rows.map(({ journal, user_id, currency_id, amount, at }) => ({
      ...{ journal, userId: Number(user_id), currencyId: currency_id, amount, at: Number(at) },
    }));
  }

  async open(tx: Tx, day: number, limit: number): Promise<readonly FeeValue[]> {
    const rows = await tx.query<{ user_id: string; value: string }>(
      `select user_id::text, trim_scale(value)::text as value from points_fees
       where points_fees.day = $1 and state = 'open' order by points_fees.user_id limit $2 for update`,
      [day, limit],
    );
    return rows.map(({ user_id, value }) => ({ day, userId: Number(user_id), value: valueOf(value) }));
  }

  async settle(tx: Tx, rows: readonly DayPoints[]): Promise<void> {
    if (rows.length === 0) return;
    await tx.execute(
      `update points_fees f set points = s.points, state = case when s.points > 0 then 'booking' else 'done' end
       from unnest($1::int[], $2::bigint[], $3::numeric[]) s (day, user_id, points)
       where f.day = s.day and f.user_id = s.user_id and f.state = 'open'`,
      [
        rows.map(({ day }) => day),
        rows.map(({ userId }) => userId),
        rows.map(({ points }) => formatTrimmed(points, POINTS_SCALE)),
      ],
    );
  }

  async book(tx: Tx, keys: readonly Pick<DayPoints, 'day' | 'userId'>[]): Promise<readonly DayPoints[]> {
    const rows = await tx.query<{ day: number; user_id: string; points: string }>(
      `update points_fees f set state = 'done'
       from unnest($1::int[], $2::bigint[]) s (day, user_id)
       where f.day = s.day and f.user_id = s.user_id and f.state = 'booking'
       returning f.day, f.user_id::text, trim_scale(f.points)::text as points`,
      [keys.map(({ day }) => day), keys.map(({ userId }) => userId)],
    );
    if (rows.length !== keys.length) throw new Error('invariant: points were booked that did not wait for the ledger');
    return rows.map(({ day, user_id, points }) => ({
      ...{ day, userId: Number(user_id), points: toUnits(points, POINTS_SCALE) },
    }));
  }
}
