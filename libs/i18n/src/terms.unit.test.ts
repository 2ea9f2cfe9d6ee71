import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { LANGUAGES, type Language } from '@bourse/contract';
import { areasOf, LOCALES, type Area, type Bundle } from './index.js';

type Word = string | [word: string, pattern: string];
interface Glossary {
  terms: Record<string, { words: Record<Language, Word>; refused?: string[] }>;
  exceptions: { term: string; keys: string[]; languages?: Language[]; reason: string }[];
  labels: Record<string, string>;
}

const here = fileURLToPath(new URL('.', import.meta.url));
const read = (path: string): unknown => JSON.parse(readFileSync(join(here, path), 'utf8'));
const glossary = read('terms.json') as Glossary;
/** The areas that exist in all languages: those of traders, and the server's. */
const areas = areasOf('de');
const bundles = Object.fromEntries(
  LANGUAGES.map((code) => [
    code,
    Object.fromEntries(areas.map((area) => [area, read(`bundles/${code}/${area}.json`) as Bundle])),
  ]),
) as Record<Language, Record<Area, Bundle>>;
const translations = LANGUAGES.filter((code) => code !== 'en');
const terms = Object.entries(glossary.terms);

const PLURAL = /_(zero|one|two|few|many|other)$/;
const source = (area: Area, key: string): string =>
  bundles.en[area][key] ?? bundles.en[area][key.replace(PLURAL, '_other')] ?? '';
const withoutPlaces = (text: string): string => text.replaceAll(/\{\{\s*\w+\s*\}\}/g, '');
/** Small letters by the rules of the language, without the vowel signs of Arabic. */
const plain = (text: string, locale: Language): string =>
  withoutPlaces(text)
    .replaceAll(/[\u064B-\u0652\u0640]/g, '')
    .toLocaleLowerCase(LOCALES[locale].pluralTag);
const wordOf = (word: Word): string => (typeof word === 'string' ? word : word[0]);
const patternOf = (word: Word, locale: Language): RegExp =>
  typeof word === 'string'
    ? new RegExp(word.toLocaleLowerCase(LOCALES[locale].pluralTag), 'iu')
    : new RegExp(word[1], 'iu');
const isNamed = (patterns: string[], key: string): boolean =>
  patterns.some((pattern) => (pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : pattern === key));
const isExcepted = (term: string, locale: Language, key: string): boolean =>
  glossary.exceptions.some(
    (entry) => entry.term === term && (entry.languages?.includes(locale) ?? true) && isNamed(entry.keys, key),
  );

test('every term has a word in every language, and a pattern that knows it [I18N-006]', () => {
  const faults = terms.flatMap(([term, { words }]) =>
    LANGUAGES.filter((locale) => !patternOf(words[locale], locale).test(plain(wordOf(words[locale]), locale))).map(
      (locale) => `${locale}: ${term}`,
    ),
  );
  expect(faults).toEqual([]);
});

describe.each(translations)('%s', (locale) => {
  test('says what the English names by the one word of the glossary [I18N-006]', () => {
    const found = terms.flatMap(([term, { words }]) => {
      const named = patternOf(words.en, 'en');
      const known = patternOf(words[locale], locale);
      return areas.flatMap((area) =>
        Object.entries(bundles[locale][area])
          .filter(([key, text]) => named.test(withoutPlaces(source(area, key))) && !known.test(plain(text, locale)))
          .filter(([key]) => !isExcepted(term, locale, key))
          .map(([key, text]) => `${key}: ${text} (${wordOf(words[locale])})`),
      );
    });
    expect(found).toEqual([]);
  });

  test('gives equal English labels one translation, except listed ones [I18N-007]', () => {
    const texts = new Map<string, Set<string>>();
    for (const area of areas.filter((name) => name !== 'server')) {
      for (const [key, text] of Object.entries(bundles[locale][area])) {
        const english = bundles.en[area][key];
        if (english === undefined || PLURAL.test(key) || english in glossary.labels) continue;
        texts.set(english, (texts.get(english) ?? new Set()).add(text));
      }
    }
    const several = [...texts]
      .filter(([, all]) => all.size > 1)
      .map(([english, all]) => `${english}: ${[...all].join(' · ')}`);
    expect(several).toEqual([]);
  });
});

describe('English', () => {
  test('names a thing by its term, not by a synonym [I18N-007]', () => {
    const found = terms.flatMap(([term, { refused = [] }]) =>
      refused.flatMap((synonym) =>
        areas.flatMap((area) =>
          Object.entries(bundles.en[area])
            .filter(
              ([key, text]) =>
                new RegExp(String.raw`\b(?:${synonym})\b`, 'iu').test(withoutPlaces(text)) &&
                !isExcepted(term, 'en', key),
            )
            .map(([key, text]) => `${key}: ${text} (${term})`),
        ),
      ),
    );
    expect(found).toEqual([]);
  });

  test('an exception names a term and a key that exist, and a label several keys have [I18N-007]', () => {
    const keys = areas.flatMap((area) => Object.keys(bundles.en[area]));
    const unknown = glossary.exceptions
      .filter(
        (entry) =>
          !(entry.term in glossary.terms) || entry.keys.some((name) => !keys.some((key) => isNamed([name], key))),
      )
      .map((entry) => `${entry.term}: ${entry.keys.join(' ')}`);
    const texts = areas.filter((area) => area !== 'server').flatMap((area) => Object.values(bundles.en[area]));
    const lone = Object.keys(glossary.labels).filter((label) => texts.filter((text) => text === label).length < 2);
    expect([...unknown, ...lone]).toEqual([]);
  });
});
