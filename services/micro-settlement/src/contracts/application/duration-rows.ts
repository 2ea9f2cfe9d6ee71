import { decimalText, flag } from '@bourse/contract';
import type { Units } from '@bourse/money';
import { CatalogBody, Column, flag as flagColumn } from '@bourse/settings';
import * as z from 'zod/mini';
import { money, percent } from '../../shared/application/catalog-columns.js';

/* Rows of the catalog as operators see them, and the columns that they may change (api §2.12, rules §15). */

export const catalogSeconds = z.object({
  id: z.int(),
  seconds: z.int(),
  profit_ratio: decimalText,
  min_money: decimalText,
  max_money: decimalText,
  is_open: flag,
});
export type CatalogSeconds = z.output<typeof catalogSeconds>;
/** The terms of a duration, the same for all people and all markets, shown before a contract is taken. */
export class SecondsBody extends CatalogBody {
  @Column(percent('1', '100'), { guarded: true }) profitRatio?: Units | undefined;
  @Column(money('1000'), { guarded: true }) minMoney?: Units | undefined;
  @Column(money('10000'), { guarded: true }) maxMoney?: Units | undefined;
  @Column(flagColumn(), { guarded: true }) isOpen?: boolean | undefined;
}
