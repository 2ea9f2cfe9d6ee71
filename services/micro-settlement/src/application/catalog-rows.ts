import { decimalText, flag } from '@bourse/contract';
import { PERCENT_SCALE } from '@bourse/formulas';
import type { Units } from '@bourse/money';
import { CatalogBody, Column, decimal, flag as flagColumn, integer, text } from '@bourse/settings';
import * as z from 'zod/mini';

/* Rows of the catalog as operators see them, and what of them they may change (api §2.12, rules §15). */

export const MONEY_SCALE = 8;
const percent = (min: string, max: string) => decimal({ scale: PERCENT_SCALE, min, max });
const money = decimal({ scale: MONEY_SCALE, min: '0.00000001', max: '1000000000' });

export const catalogSeconds = z.object({
  id: z.int(),
  seconds: z.int(),
  profit_ratio: decimalText,
  min_money: decimalText,
  max_money: decimalText,
  is_open: flag,
});
export type CatalogSeconds = z.output<typeof catalogSeconds>;
/** What a duration promises to all people and for all markets alike, told before a contract is taken. */
export class SecondsBody extends CatalogBody {
  @Column(percent('1', '1000')) profitRatio?: Units | undefined;
  @Column(money) minMoney?: Units | undefined;
  @Column(money) maxMoney?: Units | undefined;
  @Column(flagColumn()) isOpen?: boolean | undefined;
}

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
  @Column(text({ min: 1, max: 60 })) name?: string | undefined;
  @Column(money) minAmount?: Units | undefined;
  @Column(money) maxAmount?: Units | undefined;
  @Column(percent('0', '100')) premiumRate?: Units | undefined;
  @Column(percent('1', '10000')) endProfitRate?: Units | undefined;
  @Column(percent('1', '100')) claimLossRate?: Units | undefined;
  @Column(percent('0', '100')) claimRate?: Units | undefined;
  @Column(integer({ min: 1, max: 100 })) claimsPerDay?: number | undefined;
  @Column(percent('0.01', '100')) stakeRate?: Units | undefined;
  @Column(integer({ min: 1, max: 100 })) maxOpen?: number | undefined;
  @Column(money) quota?: Units | undefined;
}
