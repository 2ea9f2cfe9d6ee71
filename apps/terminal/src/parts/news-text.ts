import type { News, Notice } from '@bourse/contract';
import { LOCALES, type Locale } from '@bourse/i18n';

/**
 * Attributes of a text of news or of a message: it is in English where it has no translation (WCAG 3.1.2). None where
 * the server, of an earlier version, names no language.
 */
export function newsText({ lang }: Pick<News | Notice, 'lang'>): { lang?: string; dir?: 'ltr' | 'rtl' } {
  const locale = LOCALES[lang] as Locale | undefined;
  return locale ? { lang: locale.htmlLang, dir: locale.dir } : {};
}
