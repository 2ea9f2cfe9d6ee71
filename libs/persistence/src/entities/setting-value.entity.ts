import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant, safeInteger } from './transformers.js';

/** A setting of this schema's service that an operator has changed; the others have their default and no row. */
@Entity('setting_value')
export class SettingValueEntity {
  @PrimaryColumn('text')
  key: string;

  /** Of two copies the one with the higher version counts. */
  @Column('bigint', { transformer: safeInteger })
  version: number;

  @Column('text')
  value: string;

  @Column('timestamptz', { transformer: instant })
  changedAt: number;
}
