import { SettingValueEntity, type Database, type Tx } from '@bourse/persistence';

/** A setting that was changed at least once; the others have their default and no row. */
export interface StoredSetting {
  readonly version: number;
  readonly value: string;
  /** Time of the change, ms. */
  readonly changedAt: number;
}

/** The values of a service's settings, in the library table `setting_value` of its schema. */
export class SettingRows {
  constructor(private readonly database: Database) {}

  async read({ manager }: Pick<Tx, 'manager'> = this.database): Promise<ReadonlyMap<string, StoredSetting>> {
    const rows = await manager.find(SettingValueEntity);
    return new Map(rows.map(({ key, version, value, changedAt }) => [key, { version, value, changedAt }]));
  }

  /** Changes of one schema come one after the other: a rule may concern several settings at once. */
  async lock(tx: Tx): Promise<void> {
    await tx.execute(`select pg_advisory_xact_lock(hashtext($1))`, [`settings of ${this.database.schema}`]);
  }

  async write(tx: Tx, key: string, { version, value, changedAt }: StoredSetting): Promise<void> {
    await tx.manager.upsert(SettingValueEntity, { key, version, value, changedAt }, ['key']);
  }
}
