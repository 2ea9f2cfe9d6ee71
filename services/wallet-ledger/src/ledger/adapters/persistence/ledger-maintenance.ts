import type { Database } from '@bourse/persistence';
import { LedgerMaintenance } from '../../application/ports.js';

const SEEDED = 'ledger:seeded';

export class PostgresLedgerMaintenance extends LedgerMaintenance {
  constructor(private readonly database: Database) {
    super();
  }

  /**
   * Instances that create the same partitions at once are serialised by a lock; otherwise the catalog refuses the
   * second.
   */
  async createPartitions(): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', ['bourse ledger partitions']);
      await tx.query('select make_room()');
    });
    // A refusal has changed nothing, and its command has expired by then.
    await this.database.execute(`delete from command where not ok and created_at < now() - interval '1 hour'`);
  }

  async sumLines(partition: number, max: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      await tx.execute('insert into line_cursor (partition, number) values ($1, 0) on conflict do nothing', [
        partition,
      ]);
      const [cursor] = await tx.query<{ number: string; last: string }>(
        `select c.number, coalesce((select max(j.number) from journal j where j.partition = $1), 0) as last
          from line_cursor c
          where c.partition = $1 for update of c skip locked`,
        [partition],
      );
      if (!cursor) return 0;
      const from = Number(cursor.number);
      const to = Math.min(from + max, Number(cursor.last));
      if (to <= from) return 0;
      await tx.execute(
        `insert into line_sum (owner, product, currency, state, sum)
         select j.owner, e.line->>0, (e.line->>1)::int, e.line->>2, sum((e.line->>3)::numeric)
         from journal j cross join lateral json_array_elements(j.entries) as e(line)
         where j.partition = $1 and j.number > $2 and j.number <= $3 and j.owner > 0
         group by 1, 2, 3, 4
         order by 1, 2, 3, 4
         on conflict (owner, product, currency, state) do update set sum = line_sum.sum + excluded.sum`,
        [partition, from, to],
      );
      await tx.execute('update line_cursor set number = $2 where partition = $1', [partition, to]);
      return to - from;
    });
  }

  async isSeeded(): Promise<boolean> {
    return (await this.database.query('select 1 from meta where name = $1', [SEEDED])).length > 0;
  }

  async isUntouched(): Promise<boolean> {
    return (await this.database.query(`select 1 from journal where cause_type <> 'seed' limit 1`)).length === 0;
  }

  async markSeeded(): Promise<void> {
    await this.database.execute(`insert into meta (name, value) values ($1, '1') on conflict do nothing`, [SEEDED]);
  }
}
