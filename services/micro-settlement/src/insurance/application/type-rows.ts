import { decimalText } from '@bourse/contract';
import type { Units } from '@bourse/money';
import { CatalogBody, Column, integer, text } from '@bourse/settings';
import * as z from 'zod/mini';
import { money, percent } from '../../shared/application/catalog-columns.js';

/* Rows of the catalog as operators see them, and the columns that they may change (api §2.12, rules §15). */

export const catalogInsuranceType = z.object({
  id: z.int(),
  currency_id: z.int(),
  name: z.string(),
  min_amount: decimalText,
  max_amount: decimalText,
  premium_rate: decimalText,
  end_profit_rate: decimalText,
  claim_loss_rate: decimalText,
  claim_rate: decimalText,
  claims_per_day: z.int(),
  stake_rate: decimalText,
  max_open: z.int(),
  quota: decimalText,
});
export type CatalogInsuranceType = z.output<typeof catalogInsuranceType>;
export class InsuranceTypeBody extends CatalogBody {
  @Column(text({ min: 1, max: 60 }), { guarded: false }) name?: string | undefined;
  @Column(money('1000'), { guarded: true }) minAmount?: Units | undefined;
  @Column(money('20000'), { guarded: true }) maxAmount?: Units | undefined;
  @Column(percent('10', '100'), { guarded: true }) premiumRate?: Units | undefined;
  @Column(percent('10', '200'), { guarded: true }) endProfitRate?: Units | undefined;
  @Column(percent('25', '100'), { guarded: true }) claimLossRate?: Units | undefined;
  @Column(percent('0', '75'), { guarded: true }) claimRate?: Units | undefined;
  @Column(integer({ min: 1, max: 10 }), { guarded: true }) claimsPerDay?: number | undefined;
  @Column(percent('0', '20'), { guarded: true }) stakeRate?: Units | undefined;
  @Column(integer({ min: 1, max: 20 }), { guarded: true }) maxOpen?: number | undefined;
  @Column(money('2000000'), { guarded: true }) quota?: Units | undefined;
}
