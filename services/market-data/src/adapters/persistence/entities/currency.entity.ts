import { Entity } from 'typeorm';
import type { CurrencyRow } from '@bourse/contract';
import { CatalogRowEntity } from './catalog-row.entity.js';

@Entity('currency')
export class CurrencyEntity extends CatalogRowEntity<CurrencyRow> {}
