import { Injectable } from '@nestjs/common';
import { RoundStore, type AuditResult } from '../application/round-store.js';
import { GatewayDatabase } from '../../shared/persistence/gateway-database.js';

@Injectable()
export class PostgresRoundStore extends RoundStore {
  constructor(private readonly database: GatewayDatabase) {
    super();
  }

  async claim(everyMs: number): Promise<boolean> {
    return (
      (await this.database.execute(
        `update audit_round
          set begun_at = clock_timestamp()
          where id = 1 and begun_at < clock_timestamp() - $1 * interval '1 millisecond'`,
        [everyMs],
      )) === 1
    );
  }

  async write(result: AuditResult): Promise<void> {
    await this.database.execute('update audit_round set result = $1 where id = 1', [JSON.stringify(result)]);
  }

  async read(): Promise<AuditResult | null> {
    const [row] = await this.database.query<{ result: string | null }>('select result from audit_round where id = 1');
    return row?.result ? (JSON.parse(row.result) as AuditResult) : null;
  }
}
