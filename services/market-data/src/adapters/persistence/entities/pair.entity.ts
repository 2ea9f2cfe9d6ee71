import { Column, Entity } from 'typeorm';
import type { PairRow } from '@bourse/contract';
import { CatalogRowEntity } from './catalog-row.entity.js';

@Entity('pair')
export class PairEntity extends CatalogRowEntity<PairRow> {
  @Column('text')
  symbol: string;
}
