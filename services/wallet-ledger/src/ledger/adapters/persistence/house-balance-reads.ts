import type { Database } from '@bourse/persistence';
import { HouseBalanceReads, type HouseBalance } from '../../application/house/ports.js';

export class PostgresHouseBalanceReads extends HouseBalanceReads {
  constructor(
    private readonly database: Database,
    private readonly partitions: number,
  ) {
    super();
  }

  async balances(accounts: readonly string[]): Promise<readonly HouseBalance[]> {
    const owners = Array.from({ length: this.partitions }, (_, partition) => -1 - partition);
    const rows = await this.database.query<Omit<HouseBalance, 'sequence'> & { sequence: string }>(
      `select product as account, currency, partition, available::text, available_sequence as sequence from balance
       where owner = any($1::bigint[]) and product = any($2::text[]) order by product, currency, partition`,
      [owners, accounts],
    );
    return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
  }
}
