import type { Database } from '@bourse/persistence';
import { HousePurseReads, type HousePurse } from '../../application/house/ports.js';

export class PostgresHousePurseReads extends HousePurseReads {
  constructor(
    private readonly database: Database,
    private readonly partitions: number,
  ) {
    super();
  }

  async purses(accounts: readonly string[]): Promise<readonly HousePurse[]> {
    const owners = Array.from({ length: this.partitions }, (_, partition) => -1 - partition);
    const rows = await this.database.query<Omit<HousePurse, 'sequence'> & { sequence: string }>(
      `select product as account, currency, partition, available::text, available_sequence as sequence from balance
       where owner = any($1::bigint[]) and product = any($2::text[]) order by product, currency, partition`,
      [owners, accounts],
    );
    return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
  }
}
