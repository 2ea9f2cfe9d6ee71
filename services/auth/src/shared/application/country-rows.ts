import { flag } from '@bourse/contract';
import { CatalogBody, Column, flag as flagColumn, text } from '@bourse/settings';
import * as z from 'zod/mini';

/* The operators' view of countries, and the fields that they may change (api §2.12, rules §15). */

export const catalogCountry = z.object({
  /** The ISO 3166 number: `country_id` of the list that people choose from. */
  id: z.int(),
  area_code: z.string(),
  name_cn: z.string(),
  name_en: z.string(),
  is_display: flag,
});
export type CatalogCountry = z.output<typeof catalogCountry>;

const name = text({ min: 1, max: 80 });
export class CountryBody extends CatalogBody {
  @Column(text({ min: 2, max: 6, pattern: /^\+[1-9]\d*$/ }), { guarded: false }) areaCode?: string | undefined;
  @Column(name, { guarded: false }) nameCn?: string | undefined;
  @Column(name, { guarded: false }) nameEn?: string | undefined;
  @Column(flagColumn(), { guarded: false }) isDisplay?: boolean | undefined;
}
