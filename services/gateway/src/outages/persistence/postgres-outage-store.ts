import { Injectable } from '@nestjs/common';
import { OutageStore, type Outage, type OutageHistory } from '../application/outages.js';
import { GatewayDatabase } from '../../shared/persistence/gateway-database.js';

@Injectable()
export class PostgresOutageStore extends OutageStore {
  constructor(private readonly database: GatewayDatabase) {
    super();
  }

  record({ now, stepMs, firstDay, outagesOf }: Parameters<OutageStore['record']>[0]): Promise<void> {
    return this.database.transaction(async (tx) => {
      await tx.execute('insert into outage_watch (id, since, seen_at) values (1, $1, $1) on conflict do nothing', [
        new Date(now),
      ]);
      const [last] = await tx.query<{ seen_at: Date }>(
        'select seen_at from outage_watch where id = 1 and seen_at <= $1 for update skip locked',
        [new Date(now - stepMs)],
      );
      if (last === undefined) return;
      await tx.execute('update outage_watch set seen_at = $1 where id = 1', [new Date(now)]);
      for (const { product, day, limitedSeconds, downSeconds } of outagesOf(last.seen_at.getTime()))
        await tx.execute(
          `insert into outage (day, product, limited_seconds, down_seconds) values ($1, $2, $3, $4)
            on conflict (day, product) do update
              set limited_seconds = outage.limited_seconds + excluded.limited_seconds,
                down_seconds = outage.down_seconds + excluded.down_seconds`,
          [day, product, limitedSeconds, downSeconds],
        );
      await tx.execute('delete from outage where day < $1', [firstDay]);
    });
  }

  async read(firstDay: string): Promise<OutageHistory> {
    const [watch] = await this.database.query<{ since: Date; seen_at: Date }>(
      'select since, seen_at from outage_watch',
    );
    const rows = await this.database.query<{
      day: string;
      product: string;
      limited_seconds: number;
      down_seconds: number;
    }>(
      `select to_char(day, 'YYYY-MM-DD') as day, product, limited_seconds, down_seconds
        from outage
        where day >= $1
        order by day, product`,
      [firstDay],
    );
    return {
      span: watch ? { from: Math.max(watch.since.getTime(), Date.parse(firstDay)), to: watch.seen_at.getTime() } : null,
      outages: rows.map((row): Outage => ({
        product: row.product,
        day: row.day,
        limitedSeconds: row.limited_seconds,
        downSeconds: row.down_seconds,
      })),
    };
  }
}
