import { PERCENT_SCALE, percent, rateOfLevel } from '@bourse/formulas';
import { formatTrimmed } from '@bourse/money';

/** A pair's rate at the part of it that a level leaves, as the server rounds it; without a level the pair's. */
export const ownRate = (rate: string, partPercent: string | undefined): string =>
  partPercent === undefined ? rate : formatTrimmed(rateOfLevel(percent(rate), BigInt(partPercent)), PERCENT_SCALE);

const AGE_MS = 600_000;
/** How old the level on a page may be: it changes after midnight (UTC), and when operators change the levels. */
export const LEVEL_AGE = { staleTime: AGE_MS, refetchInterval: AGE_MS };
