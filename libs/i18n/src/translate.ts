import { existsSync, readFileSync } from 'node:fs';
import { interpolate } from './interpolate.js';
import { isLanguage, type Language } from '@bourse/contract';
import { AREAS, DEFAULT_LOCALE, LOCALES, type Bundle } from './locales.js';

/**
 * A server text in the caller's language. Falls back to English, then to the key itself: an answer always carries a
 * message. Plural forms are chosen by `params.count`.
 */
export function translate(locale: string, key: string, params: Readonly<Record<string, string | number>> = {}): string {
  const code = isLanguage(locale) ? locale : DEFAULT_LOCALE;
  const text = find(textsOf(code), code, key, params) ?? find(textsOf(DEFAULT_LOCALE), DEFAULT_LOCALE, key, params);
  return text === undefined ? key : interpolate(text, params);
}

/** Whether a key has an English text: services test that all their keys do. */
export function hasText(key: string): boolean {
  return key in textsOf(DEFAULT_LOCALE);
}

function find(
  texts: Bundle,
  code: Language,
  key: string,
  params: Readonly<Record<string, string | number>>,
): string | undefined {
  if (typeof params['count'] === 'number') {
    const tag = LOCALES[code].pluralTag;
    const form = texts[`${key}_${new Intl.PluralRules(tag).select(params['count'])}`];
    if (form !== undefined) return form;
  }
  return texts[key];
}

/** All areas of a language in one table, read once. */
function textsOf(code: Language): Bundle {
  let texts = cache.get(code);
  if (texts) return texts;
  texts = {};
  for (const area of AREAS) {
    const file = new URL(`./bundles/${code}/${area}.json`, import.meta.url);
    if (existsSync(file)) Object.assign(texts, JSON.parse(readFileSync(file, 'utf8')));
  }
  cache.set(code, texts);
  return texts;
}

const cache = new Map<Language, Bundle>();
