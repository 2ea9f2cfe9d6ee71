import { decimalText, flag } from '@bourse/contract';
import type { Units } from '@bourse/money';
import { CatalogBody, Column, decimal, flag as flagColumn, text } from '@bourse/settings';
import * as z from 'zod/mini';

/* Rows of the catalog as operators see them, and what of them they may change (api §2.12, rules §15). */

/** Scale of percentages, and of smallest totals. */
export const PERCENT_SCALE = 4;
export const TOTAL_SCALE = 8;
const percent = (min: string, max: string) => decimal({ scale: PERCENT_SCALE, min, max });

export const catalogPair = z.object({
  id: z.int(),
  symbol: z.string(),
  currency_id: z.int(),
  legal_id: z.int(),
  price_scale: z.int(),
  number_scale: z.int(),
  maker_fee: decimalText,
  taker_fee: decimalText,
  market_band: decimalText,
  min_total: decimalText,
  open_spot: flag,
  open_lever: flag,
  open_micro: flag,
  is_display: flag,
});
export type CatalogPair = z.output<typeof catalogPair>;
export class PairBody extends CatalogBody {
  @Column(percent('0', '5'), { guarded: true }) makerFee?: Units | undefined;
  @Column(percent('0', '5'), { guarded: true }) takerFee?: Units | undefined;
  @Column(percent('0.5', '20'), { guarded: true }) marketBand?: Units | undefined;
  @Column(decimal({ scale: TOTAL_SCALE, max: '1000' }), { guarded: true }) minTotal?: Units | undefined;
  @Column(flagColumn(), { guarded: true }) openSpot?: boolean | undefined;
  @Column(flagColumn(), { guarded: true }) openLever?: boolean | undefined;
  @Column(flagColumn(), { guarded: true }) openMicro?: boolean | undefined;
  @Column(flagColumn(), { guarded: false }) isDisplay?: boolean | undefined;
}

const link = text({ max: 300, pattern: /^(https:\/\/|\/)\S*$/ });
const supply = text({ max: 40, pattern: /^\d+(\.\d+)?$/ });

export const catalogCurrency = z.object({
  id: z.int(),
  name: z.string(),
  scale: z.int(),
  is_legal: flag,
  is_match: flag,
  is_lever: flag,
  is_micro: flag,
  full_name: z.string(),
  logo: z.string(),
  publish_date: z.string(),
  total_supply: z.string(),
  circulation: z.string(),
  website: z.string(),
  explorer: z.string(),
  white_paper: z.string(),
  description: z.string(),
});
export type CatalogCurrency = z.output<typeof catalogCurrency>;
export class CurrencyBody extends CatalogBody {
  @Column(text({ min: 1, max: 60 }), { guarded: false }) fullName?: string | undefined;
  @Column(link, { guarded: false }) logo?: string | undefined;
  @Column(text({ max: 10, pattern: /^\d{4}-\d{2}-\d{2}$/ }), { guarded: false }) publishDate?: string | undefined;
  @Column(supply, { guarded: false }) totalSupply?: string | undefined;
  @Column(supply, { guarded: false }) circulation?: string | undefined;
  @Column(link, { guarded: false }) website?: string | undefined;
  @Column(link, { guarded: false }) explorer?: string | undefined;
  @Column(link, { guarded: false }) whitePaper?: string | undefined;
  @Column(text({ max: 4_000, lines: true }), { guarded: false }) description?: string | undefined;
}
