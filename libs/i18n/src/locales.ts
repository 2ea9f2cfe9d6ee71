import type { Language } from '@bourse/contract';
import { AREAS } from './areas.generated.js';

/** Everything a screen needs to know about one language besides its texts. */
export interface Locale {
  /** The code that is stored and sent (`locale`, header `lang`). Some are not language tags: `jp`, `hk`, `cr`. */
  readonly code: Language;
  /** html `lang` (api §6.9). */
  readonly htmlLang: string;
  /** Tag for Intl dates and summaries. Market numbers never go through Intl. */
  readonly intlTag: string;
  /** Tag whose plural rules the texts follow; Intl knows no `ht`, its two forms are those of English. */
  readonly pluralTag: string;
  readonly dir: 'ltr' | 'rtl';
  /** The language's own name, for the language menu. */
  readonly name: string;
}

export const DEFAULT_LOCALE: Language = 'en';

const locale = (code: Language, name: string, more: Partial<Locale> = {}): Locale => ({
  code,
  name,
  htmlLang: code,
  intlTag: code,
  pluralTag: code,
  dir: 'ltr',
  ...more,
});

export const LOCALES: Readonly<Record<Language, Locale>> = {
  en: locale('en', 'English'),
  tr: locale('tr', 'Türkçe'),
  // The default calendar of `th` is the Buddhist one: 2569 instead of 2026.
  th: locale('th', 'ไทย', { intlTag: 'th-u-ca-gregory' }),
  ar: locale('ar', 'العربية', { intlTag: 'ar-u-nu-latn', dir: 'rtl' }),
  vi: locale('vi', 'Tiếng Việt'),
  ko: locale('ko', '한국어'),
  zh: locale('zh', '简体中文', { htmlLang: 'zh-Hans-CN', intlTag: 'zh-Hans-CN' }),
  pt: locale('pt', 'Português'),
  hk: locale('hk', '繁體中文', { htmlLang: 'zh-Hant-HK', intlTag: 'zh-Hant-HK', pluralTag: 'zh' }),
  jp: locale('jp', '日本語', { htmlLang: 'ja', intlTag: 'ja', pluralTag: 'ja' }),
  es: locale('es', 'Español'),
  de: locale('de', 'Deutsch'),
  fr: locale('fr', 'Français'),
  it: locale('it', 'Italiano'),
  sv: locale('sv', 'Svenska'),
  // Intl has no `ht` and would silently use the runtime's language.
  cr: locale('cr', 'Kreyòl ayisyen', { htmlLang: 'ht', intlTag: 'fr-HT', pluralTag: 'en' }),
};

export { AREAS };
export type Area = (typeof AREAS)[number];
/**
 * Areas that only operators read. They are complete in these languages; in the others the English words stand in
 * (decision 0122).
 */
export const OPERATOR_AREAS: readonly Area[] = ['console'];
export const OPERATOR_LOCALES: readonly Language[] = ['en', 'zh', 'hk'];
/** The areas that a language has texts for. */
export const areasOf = (code: Language): readonly Area[] =>
  OPERATOR_LOCALES.includes(code) ? AREAS : AREAS.filter((area) => !OPERATOR_AREAS.includes(area));
export type Bundle = Readonly<Record<string, string>>;
