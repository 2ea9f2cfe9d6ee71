import type { ReferenceCurrency } from '@bourse/contract';
import { LOCALES } from '@bourse/i18n';
import { current } from '../core/i18n.js';

/** The name of a currency in the reader's language; Intl knows no name of bitcoin. */
export const currencyName = (code: ReferenceCurrency): string =>
  code === 'BTC'
    ? 'Bitcoin'
    : (new Intl.DisplayNames(LOCALES[current()].intlTag, { type: 'currency' }).of(code) ?? code);
