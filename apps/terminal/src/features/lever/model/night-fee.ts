import { COIN_SCALE, overnightFee, percent } from '@bourse/formulas';
import type { LeverDeal, LeverPreview, QuotationItem } from '@bourse/contract';
import { formatTrimmed, toUnits } from '@bourse/money';
import { scalesOf, ticksOf } from './offer.js';

const DAY_MS = 86_400_000;

/** Milliseconds until the next night fee, which is charged at 00:00 UTC (rules §3). */
export const untilNightFee = (nowMs: number): number => DAY_MS - (nowMs % DAY_MS);

/** The fee of one night for the position that a preview would open, by the engine's formula. */
export const nightFeeOf = (
  { price, number }: Pick<LeverPreview, 'price' | 'number'>,
  { overnight }: Pick<LeverDeal, 'overnight'>,
  pair: Pick<QuotationItem, 'price_scale' | 'number_scale'>,
): string =>
  formatTrimmed(
    overnightFee(
      scalesOf(pair),
      { price: ticksOf(price, pair.price_scale), lots: toUnits(number, pair.number_scale) },
      percent(overnight),
    ),
    COIN_SCALE,
  );
