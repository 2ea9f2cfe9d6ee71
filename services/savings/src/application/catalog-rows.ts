import { decimalText, flag } from '@bourse/contract';
import { PERCENT_SCALE } from '@bourse/formulas';
import type { Units } from '@bourse/money';
import { CatalogBody, Column, decimal, flag as flagColumn } from '@bourse/settings';
import * as z from 'zod/mini';

/* Rows of the catalog as operators see them, and the columns that they may change (api §2.12, rules §15). */

export const MONEY_SCALE = 8;

export const catalogDepositConfig = z.object({
  id: z.int(),
  currency_id: z.int(),
  day: z.int(),
  interest_rate: decimalText,
  save_min: decimalText,
  is_open: flag,
});
export type CatalogDepositConfig = z.output<typeof catalogDepositConfig>;

/** The terms of a deposit, the same for all people, shown before one subscribes; the days of a row never change. */
export class DepositConfigBody extends CatalogBody {
  @Column(decimal({ scale: PERCENT_SCALE, min: '0', max: '2.4' }), { guarded: true }) interestRate?: Units | undefined;
  @Column(decimal({ scale: MONEY_SCALE, min: '0.00000001', max: '1000' }), { guarded: true }) saveMin?:
    | Units
    | undefined;
  @Column(flagColumn(), { guarded: true }) isOpen?: boolean | undefined;
}
