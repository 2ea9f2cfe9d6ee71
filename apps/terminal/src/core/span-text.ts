import { LOCALES } from '@bourse/i18n';
import { current } from './i18n.js';

/** A span in the language of the page, in short: `24 hr`, `7 days`. */
export const spanText = (count: number, unit: 'hour' | 'day'): string =>
  new Intl.NumberFormat(LOCALES[current()].intlTag, { style: 'unit', unit, unitDisplay: 'short' }).format(count);
