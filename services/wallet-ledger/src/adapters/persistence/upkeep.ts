import type { Database } from '@bourse/persistence';
import { LedgerUpkeep } from '../../application/ports.js';

const SEEDED = 'ledger:seeded';

export class PostgresLedgerUpkeep extends LedgerUpkeep {
  constructor(private readonly database: Database) {
    super();
  }

  async makeRoom(): Promise<void> {
    await this.database.query('select make_room()');
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
