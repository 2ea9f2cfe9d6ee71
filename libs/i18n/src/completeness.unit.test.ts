import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { LANGUAGES, type Language } from '@bourse/contract';
import { AREAS, areasOf, LOCALES, type Area, type Bundle } from './index.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const bundle = (locale: Language, area: Area): Bundle =>
  JSON.parse(readFileSync(join(root, 'libs/i18n/src/bundles', locale, `${area}.json`), 'utf8')) as Bundle;
const english = Object.fromEntries(AREAS.map((area) => [area, bundle('en', area)])) as Record<Area, Bundle>;
const allKeys = new Set(AREAS.flatMap((area) => Object.keys(english[area])));
const PLURAL = /_(zero|one|two|few|many|other)$/;
const stem = (key: string): string => key.replace(PLURAL, '');
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((match) => match[1] ?? '').sort();

/**
 * Names, symbols, units and codes, which no language translates. All other texts must differ from English, or be in the
 * list below.
 */
const NAMES = 'Bourse|BTC|USDT|CNY|UTC|UID|CSV|C2C|IOC|FOK|GTC|OCO|iPhone|Android|TradingView';
const SAME = new RegExp(String.raw`^(?:[\d\s.,:;%≈$·–—()/+<>|-]|\{\{\w+\}\}|${NAMES}|\d+[mhDWM])+$`);
/** Keys whose word a language shares with English. */
const SHARED = new Set<string>(
  JSON.parse(readFileSync(join(root, 'libs/i18n/same-as-english.json'), 'utf8')) as string[],
);

describe.each(LANGUAGES.filter((code) => code !== 'en'))('%s', (locale) => {
  test.each(areasOf(locale))(
    '%s is complete: same keys, same places, the plural forms the language needs [I18N-001]',
    (area) => {
      const texts = bundle(locale, area);
      const forms = new Intl.PluralRules(LOCALES[locale].pluralTag).resolvedOptions().pluralCategories;
      const wanted = new Set<string>();
      for (const key of Object.keys(english[area])) {
        if (PLURAL.test(key)) for (const form of forms) wanted.add(`${stem(key)}_${form}`);
        else wanted.add(key);
      }
      expect(Object.keys(texts).sort()).toEqual([...wanted].sort());
      for (const [key, text] of Object.entries(texts)) {
        const source = english[area][key] ?? english[area][`${stem(key)}_other`] ?? '';
        expect([key, placeholders(text).filter((name) => name !== 'count')]).toEqual([
          key,
          placeholders(source).filter((name) => name !== 'count'),
        ]);
        expect([key, text.trim() === '']).toEqual([key, false]);
      }
    },
  );

  test('has no half of an area: texts of operators are there whole, or not at all [I18N-001]', () => {
    const there = readdirSync(join(root, 'libs/i18n/src/bundles', locale)).map((file) => file.replace(/\.json$/, ''));
    expect(there.sort()).toEqual([...areasOf(locale)].sort());
  });

  test('is translated, not copied [I18N-002]', () => {
    const copied = areasOf(locale).flatMap((area) =>
      Object.entries(bundle(locale, area))
        .filter(([key, text]) => text === english[area][key] && !SAME.test(text) && !SHARED.has(`${locale}:${key}`))
        .map(([key, text]) => `${locale}:${key} ${text}`),
    );
    expect(copied).toEqual([]);
  });
});

/** Words of the form of address, or of the country, that a language does not use here. */
const REFUSED: Partial<Record<Language, RegExp>> = {
  // Usted.
  es: /(?<!\p{L})(?:tu|tus|tú|ti|contigo|tuyo|puedes|tienes|quieres|debes|recibes|podrás)(?!\p{L})|^(?:Introduce|Elige|Comprueba|Envía) /iu,
  // Tu.
  it: /(?<!\p{L})(?:lei|voi|vostr[oaie]|avete|confermate|controllate|inserite|premete|scrivete|sbloccate|riprovi|inserisca|scelga|scriva|prema|apra|acceda|conservi|inquadri|digiti)(?!\p{L})|^(?:Compili|Dia|Disconnetta|Tocchi|Verifichi|Controlli|Il suo conto|Le sue monete) /iu,
  // Brazilian Portuguese, você.
  pt: /(?<!\p{L})(?:tu|teus?|tuas?|contigo|para si(?! só)|introduza|telemóvel|comprovativo|ecrã|ficheiros?|utilizador\p{L}*|equipas?|regist[oa]d[oa]s?|montantes?|percentagem|est(?:á|ão) a \p{L}+r)(?!\p{L})/iu,
};

test.each(Object.entries(REFUSED))(
  '%s has one form of address, and the words of one country [I18N-005]',
  (language, refused) => {
    const locale = language as Language;
    const found = areasOf(locale).flatMap((area) =>
      Object.entries(bundle(locale, area)).flatMap(([key, text]) => (refused.test(text) ? [`${key}: ${text}`] : [])),
    );
    expect(found).toEqual([]);
  },
);

describe('texts and code', () => {
  const sources = [
    ...files(join(root, 'apps/terminal/src')),
    ...files(join(root, 'apps/console/src')),
    ...files(join(root, 'libs/web/src')),
    ...files(join(root, 'libs/ui/src')),
    ...files(join(root, 'services')),
    ...files(join(root, 'examples')),
    ...files(join(root, 'libs/platform/src')),
    ...files(join(root, 'libs/api-client/src')),
  ].filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$/.test(path) && !/\/(dist|node_modules|test)\//.test(path));
  const code = sources.map((path) => readFileSync(path, 'utf8')).join('\n');

  test('every key that a page asks for exists [I18N-003]', () => {
    const asked = [...code.matchAll(/\bt\(\s*'([^'$]+)'/g)].map((match) => match[1] ?? '');
    const unknown = asked.filter((key) => !allKeys.has(key) && !allKeys.has(`${key}_other`));
    expect([...new Set(unknown)]).toEqual([]);
  });

  test('every key is used somewhere [I18N-003]', () => {
    const isUsed = usesOf(code);
    const unused = [...allKeys].filter((key) => !isUsed(stem(key)));
    expect(unused).toEqual([]);
  });

  test('a key exists in one area only, except where one of them is the server’s [I18N-004]', () => {
    const seen = new Map<string, Area>();
    const twice: string[] = [];
    for (const area of AREAS.filter((name) => name !== 'server')) {
      for (const key of Object.keys(english[area])) {
        if (seen.has(key)) twice.push(`${key}: ${seen.get(key)} and ${area}`);
        seen.set(key, area);
      }
    }
    expect(twice).toEqual([]);
  });
});

/**
 * A key counts as used when the whole key is in the code, or when the code builds it from a prefix in a template
 * (`home.fact${…}`). The code is searched once for all quoted texts, not once for each key.
 */
function usesOf(code: string): (key: string) => boolean {
  const all = (pattern: RegExp): Set<string> => new Set([...code.matchAll(pattern)].map((match) => match[1] ?? ''));
  // The end of one text may begin the next: the closing quote is matched by lookahead and not consumed.
  const quoted = all(/'([\w.-]+)(?=')/g);
  const written = all(/`([\w.-]+)(?=`)/g);
  const begun = all(/`([\w.-]+)(?=\$\{)/g);
  return (key) => {
    if (quoted.has(key) || written.has(key)) return true;
    for (let end = key.length - 1; end > 2; end--) {
      const prefix = key.slice(0, end);
      if (begun.has(prefix) || quoted.has(prefix)) return true;
    }
    return false;
  };
}

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    if (name === 'node_modules' || name === 'dist') return [];
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}
