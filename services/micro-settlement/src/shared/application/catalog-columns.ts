import { PERCENT_SCALE } from '@bourse/formulas';
import { decimal } from '@bourse/settings';
import { AMOUNT_SCALE } from './amounts.js';

/** A column of percent that operators may change. */
export const percent = (min: string, max: string) => decimal({ scale: PERCENT_SCALE, min, max });
/** A column of whole coins that operators may change. */
export const money = (max: string) => decimal({ scale: AMOUNT_SCALE, min: '0.00000001', max });
