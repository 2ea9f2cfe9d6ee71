import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { LANGUAGES } from '@bourse/contract';
import { LOCALES } from '@bourse/i18n';

const script = readFileSync(new URL('./before-paint.js', import.meta.url), 'utf8');

interface Painted {
  lang: string;
  dir: string;
  dataset: Record<string, string>;
  /** What the script added to the head. */
  links: unknown[];
}
/** The state of the html element after the script, for these stored values; `texts`: the files that the page names. */
function painted(
  stored: Readonly<Record<string, string>> | 'blocked',
  texts?: Readonly<Record<string, readonly string[]>>,
): Painted {
  const links: unknown[] = [];
  const html = { lang: 'en', dir: 'ltr', dataset: { theme: 'dark', palette: 'classic' } as Record<string, string> };
  runInNewContext(script, {
    document: {
      documentElement: html,
      querySelector: (wanted: string) =>
        wanted === 'meta[name=texts]' && texts !== undefined ? { content: JSON.stringify(texts) } : null,
      createElement: () => ({}),
      head: { appendChild: (link: unknown) => links.push(link) },
    },
    localStorage: {
      getItem: (key: string) => {
        if (stored === 'blocked') throw new Error('SecurityError');
        return stored[key] ?? null;
      },
    },
  });
  return { ...html, links };
}

test('language, direction, theme and palette are set before the first paint, as in the tables [TERM-003]', () => {
  for (const code of LANGUAGES)
    expect(painted({ locale: code })).toMatchObject({ lang: LOCALES[code].htmlLang, dir: LOCALES[code].dir });
  expect(painted({ theme: 'white', palette: 'colorblind' }).dataset).toEqual({ theme: 'white', palette: 'colorblind' });
});

test('the texts of the stored language are requested, else the English ones [BUDGET-011]', () => {
  const texts = { en: ['assets/core-en.js', 'assets/trade-en.js'], ar: ['assets/core-ar.js'] };
  const requested = (stored: Readonly<Record<string, string>>): unknown[] => painted(stored, texts).links;
  const link = (href: string): unknown => ({ rel: 'modulepreload', crossOrigin: '', href });
  expect(requested({ locale: 'ar' })).toEqual([link('/assets/core-ar.js')]);
  const others: readonly Readonly<Record<string, string>>[] = [{}, { locale: 'xx' }];
  for (const stored of others)
    expect(requested(stored)).toEqual([link('/assets/core-en.js'), link('/assets/trade-en.js')]);
});

test('unknown values and a blocked storage leave the defaults [TERM-003]', () => {
  for (const stored of [{ locale: 'xx', theme: 'pink', palette: 'loud' }, 'blocked'] as const)
    expect(painted(stored)).toEqual({
      lang: 'en',
      dir: 'ltr',
      dataset: { theme: 'dark', palette: 'classic' },
      links: [],
    });
});
