import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { LANGUAGES } from '@bourse/contract';
import { LOCALES } from '@bourse/i18n';

const script = readFileSync(new URL('./before-paint.js', import.meta.url), 'utf8');

/** The state of the html element after the script, for these stored values. */
function painted(stored: Readonly<Record<string, string>> | 'blocked'): {
  lang: string;
  dir: string;
  dataset: Record<string, string>;
} {
  const html = { lang: 'en', dir: 'ltr', dataset: { theme: 'dark', palette: 'classic' } as Record<string, string> };
  runInNewContext(script, {
    document: { documentElement: html, querySelector: () => null },
    localStorage: {
      getItem: (key: string) => {
        if (stored === 'blocked') throw new Error('SecurityError');
        return stored[key] ?? null;
      },
    },
  });
  return html;
}

test('language, direction, theme and palette are set before the first paint, as in the tables [TERM-003]', () => {
  for (const code of LANGUAGES)
    expect(painted({ locale: code })).toMatchObject({ lang: LOCALES[code].htmlLang, dir: LOCALES[code].dir });
  expect(painted({ theme: 'white', palette: 'colorblind' }).dataset).toEqual({ theme: 'white', palette: 'colorblind' });
});

test('unknown values and a blocked storage leave the defaults [TERM-003]', () => {
  for (const stored of [{ locale: 'xx', theme: 'pink', palette: 'loud' }, 'blocked'] as const)
    expect(painted(stored)).toEqual({ lang: 'en', dir: 'ltr', dataset: { theme: 'dark', palette: 'classic' } });
});
