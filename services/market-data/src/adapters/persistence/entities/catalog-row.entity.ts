import { Column, PrimaryColumn } from 'typeorm';
import { safeInteger } from '@bourse/persistence';

/** A row of the catalog: kept whole, as the other services copy it. */
export abstract class CatalogRowEntity<R extends object> {
  @PrimaryColumn('integer')
  id: number;

  /** Of two copies the one with the higher version counts. */
  @Column('bigint', { transformer: safeInteger })
  version: number;

  @Column('jsonb')
  row: R;
}
