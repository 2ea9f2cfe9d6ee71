import { PERCENT_SCALE, percent, rateOfLevel } from '@bourse/formulas';
import { formatTrimmed } from '@bourse/money';

/** A pair's rate at the part of it that a level leaves, as the server rounds it; without a level the pair's. */
export const ownRate = (rate: string, partPercent: string | undefined): string =>
  partPercent === undefined ? rate : formatTrimmed(rateOfLevel(percent(rate), BigInt(partPercent)), PERCENT_SCALE);
