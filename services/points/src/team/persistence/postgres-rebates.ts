import { Injectable } from '@nestjs/common';
import type { Rows } from '@bourse/contract';
import { PERCENT_SCALE } from '@bourse/formulas';
import { formatUnits, toUnits } from '@bourse/money';
import { readPage, type Tx } from '@bourse/persistence';
import type { Page } from '@bourse/platform';
import { PointsDatabase } from '../../shared/application/database.js';
import {
  RebateStore,
  type Carry,
  type OwedDay,
  type PaidRebate,
  type RebateFee,
  type RebateShare,
  type SettledDay,
  type Upline,
} from '../application/rebate-ports.js';
import { GENERATIONS, SHARE_SCALE } from '../domain/rebate.js';

const share = (units: bigint): string => formatUnits(units, SHARE_SCALE);
const PAID = `id::text, day, person::text, currency, amount::text, paid_at::text`;
interface StoredPaid extends Record<string, unknown> {
  readonly id: string;
  readonly day: number;
  readonly person: string;
  readonly currency: number;
  readonly amount: string;
  readonly paid_at: string;
}
const paidOf = (row: StoredPaid): PaidRebate => ({
  ...{ id: row.id, day: row.day, currency: row.currency, amount: row.amount },
  person: Number(row.person),
  paidAt: Number(row.paid_at),
});

@Injectable()
export class PostgresRebates extends RebateStore {
  constructor(private readonly database: PointsDatabase) {
    super();
  }

  async closed(tx: Tx): Promise<number | null> {
    const [row] = await tx.query<{ day: number }>('select day from rebate_closed');
    return row?.day ?? null;
  }

  async close(tx: Tx, day: number): Promise<void> {
    await tx.execute(
      `insert into rebate_closed (day) values ($1)
       on conflict (only_row) do update set day = greatest(rebate_closed.day, excluded.day)`,
      [day],
    );
  }

  async uplines(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, Upline>> {
    const rows = await tx.query<{ payer: string; id: string; generation: number; registered: boolean }>(
      `with recursive line as (
         select m.id as payer, m.id, m.inviter_id, m.registered, 0 as generation
         from unnest($1::bigint[]) given (id)
           cross join lateral (select * from team_member m where m.id = given.id offset 0) m
         union all
         select l.payer, p.id, p.inviter_id, p.registered, l.generation + 1
         from line l
           cross join lateral (select * from team_member p where p.id = l.inviter_id offset 0) p
         where l.generation < $2
       ) select payer::text, id::text, generation, registered from line order by payer, generation`,
      [ids, GENERATIONS],
    );
    const uplines = new Map<number, { ids: number[]; isKnown: boolean }>();
    for (const { payer, id, generation, registered } of rows) {
      const line = uplines.get(Number(payer)) ?? { ids: [], isKnown: true };
      if (generation > 0) line.ids.push(Number(id));
      // The inviter of the last person is not needed.
      if (!registered && generation < GENERATIONS) line.isKnown = false;
      uplines.set(Number(payer), line);
    }
    return uplines;
  }

  async wait(tx: Tx, fees: readonly RebateFee[]): Promise<void> {
    await tx.execute(
      `insert into rebate_waiting (journal, payer, currency, amount, at, percents)
       select f.journal, f.payer, f.currency, f.amount, f.at, string_to_array(f.percents, ' ')::numeric[]
       from unnest($1::text[], $2::bigint[], $3::int[], $4::numeric[], $5::bigint[], $6::text[])
         f (journal, payer, currency, amount, at, percents)
       on conflict do nothing`,
      [
        fees.map(({ journal }) => journal),
        fees.map(({ payer }) => payer),
        fees.map(({ currency }) => currency),
        fees.map(({ amount }) => amount),
        fees.map(({ at }) => at),
        fees.map(({ percents }) => percents.map((one) => formatUnits(one, PERCENT_SCALE)).join(' ')),
      ],
    );
  }

  async waiting(tx: Tx, limit: number): Promise<readonly RebateFee[]> {
    // Fees whose payer is known by now come first: the others must not block them.
    const rows = await tx.query<{
      journal: string;
      payer: string;
      currency: number;
      amount: string;
      at: string;
      percents: string;
    }>(
      `select w.journal, w.payer::text, w.currency, trim_scale(w.amount)::text as amount, w.at::text,
         array_to_string(w.percents, ' ') as percents
       from rebate_waiting w join team_member m on m.id = w.payer and m.registered
       order by w.at, w.journal, w.payer, w.currency limit $1`,
      [limit],
    );
    return rows.map((row) => ({
      journal: row.journal,
      payer: Number(row.payer),
      currency: row.currency,
      amount: row.amount,
      at: Number(row.at),
      percents: row.percents.split(' ').map((one) => toUnits(one, PERCENT_SCALE)),
    }));
  }

  async leaveWaiting(tx: Tx, fees: readonly RebateFee[]): Promise<void> {
    await tx.execute(
      `delete from rebate_waiting w using unnest($1::text[], $2::bigint[], $3::int[]) f (journal, payer, currency)
       where w.journal = f.journal and w.payer = f.payer and w.currency = f.currency`,
      [fees.map(({ journal }) => journal), fees.map(({ payer }) => payer), fees.map(({ currency }) => currency)],
    );
  }

  async addShares(tx: Tx, shares: readonly RebateShare[]): Promise<void> {
    await tx.execute(
      `with fresh as (
         insert into rebate_share (journal, payer, currency, generation, person, percent, amount, day)
         select * from unnest($1::text[], $2::bigint[], $3::int[], $4::smallint[], $5::bigint[], $6::numeric[],
           $7::numeric[], $8::int[])
         on conflict do nothing
         returning day, person, currency, amount
       )
       insert into rebate_day (day, person, currency, sum)
       select day, person, currency, sum(amount) from fresh group by 1, 2, 3 order by 1, 2, 3
       on conflict (day, person, currency) do update set sum = rebate_day.sum + excluded.sum`,
      [
        shares.map(({ journal }) => journal),
        shares.map(({ payer }) => payer),
        shares.map(({ currency }) => currency),
        shares.map(({ generation }) => generation),
        shares.map(({ person }) => person),
        shares.map(({ percent }) => formatUnits(percent, PERCENT_SCALE)),
        shares.map(({ amount }) => share(amount)),
        shares.map(({ day }) => day),
      ],
    );
  }

  async owed(tx: Tx, day: number, limit: number): Promise<readonly OwedDay[]> {
    const rows = await tx.query<{ day: number; person: string; currency: number; sum: string }>(
      `select day, person::text, currency, sum::text from rebate_day where day <= $1
       order by rebate_day.day, rebate_day.person, rebate_day.currency limit $2 for update`,
      [day, limit],
    );
    return rows.map((row) => ({ ...row, person: Number(row.person), sum: toUnits(row.sum, SHARE_SCALE) }));
  }

  async carries(tx: Tx, of: readonly Pick<OwedDay, 'person' | 'currency'>[]): Promise<readonly Carry[]> {
    const rows = await tx.query<{ person: string; currency: number; amount: string }>(
      `select c.person::text, c.currency, c.amount::text
       from (select distinct * from unnest($1::bigint[], $2::int[]) n (person, currency)) n
       join rebate_carry c using (person, currency)`,
      [of.map(({ person }) => person), of.map(({ currency }) => currency)],
    );
    return rows.map((row) => ({
      person: Number(row.person),
      currency: row.currency,
      amount: toUnits(row.amount, SHARE_SCALE),
    }));
  }

  async settle(tx: Tx, days: readonly SettledDay[], carries: readonly Carry[]): Promise<void> {
    const named = [days.map(({ day }) => day), days.map(({ person }) => person), days.map(({ currency }) => currency)];
    await tx.execute(
      `insert into rebate_paid (day, person, currency, sum, amount, state)
       select * from unnest($1::int[], $2::bigint[], $3::int[], $4::numeric[], $5::numeric[], $6::text[])`,
      [
        ...named,
        days.map(({ sum }) => share(sum)),
        days.map(({ amount }) => amount),
        days.map(({ isPaid }) => (isPaid ? 'paying' : 'none')),
      ],
    );
    await tx.execute(
      `delete from rebate_day d using unnest($1::int[], $2::bigint[], $3::int[]) n (day, person, currency)
       where d.day = n.day and d.person = n.person and d.currency = n.currency`,
      named,
    );
    await tx.execute(
      `insert into rebate_carry (person, currency, amount)
       select * from unnest($1::bigint[], $2::int[], $3::numeric[])
       on conflict (person, currency) do update set amount = excluded.amount`,
      [
        carries.map(({ person }) => person),
        carries.map(({ currency }) => currency),
        carries.map(({ amount }) => share(amount)),
      ],
    );
  }

  async paid(
    tx: Tx,
    days: readonly Pick<OwedDay, 'day' | 'person' | 'currency'>[],
    at: number,
  ): Promise<readonly PaidRebate[]> {
    const rows = await tx.query<StoredPaid>(
      `update rebate_paid p set state = 'paid', paid_at = $4
       from unnest($1::int[], $2::bigint[], $3::int[]) n (day, person, currency)
       where p.day = n.day and p.person = n.person and p.currency = n.currency and p.state = 'paying'
       returning p.id::text, p.day, p.person::text, p.currency, p.amount::text, p.paid_at::text`,
      [days.map(({ day }) => day), days.map(({ person }) => person), days.map(({ currency }) => currency), at],
    );
    return rows.map(paidOf);
  }

  async ofPerson(person: number, page: Page): Promise<Rows<PaidRebate>> {
    const where = `person = $1::bigint and state = 'paid'`;
    const list = { columns: PAID, from: 'rebate_paid', where, params: [person], orderBy: 'rebate_paid.id desc' };
    const { rows, total } = await readPage<StoredPaid>(this.database, list, page);
    return { rows: rows.map(paidOf), total };
  }
}
