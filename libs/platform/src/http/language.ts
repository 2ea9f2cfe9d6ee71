import { isLanguage, type Language } from '@bourse/contract';

/** Languages whose usual tag is not the contract's code. */
const TAGS: Readonly<Record<string, Language>> = {
  ja: 'jp',
  ht: 'cr',
  'zh-hk': 'hk',
  'zh-tw': 'hk',
  'zh-mo': 'hk',
  'zh-hant': 'hk',
  'zh-hant-hk': 'hk',
  'zh-hant-tw': 'hk',
};

const codeOf = (tag: string): Language | undefined => (Object.hasOwn(TAGS, tag) ? TAGS[tag] : undefined);

/** Header `lang`, else the user's stored language, else `Accept-Language`, else `en` (api §1.2). */
export function languageOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  stored?: Language | null,
): Language {
  const asked = headers['lang'];
  if (isLanguage(asked)) return asked;
  if (stored) return stored;
  const accepted = headers['accept-language'];
  return typeof accepted === 'string' ? accept(accepted) : 'en';
}

function accept(header: string): Language {
  const wishes = header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters
        .map((parameter) => /^\s*q=([01](?:\.\d{1,3})?)\s*$/.exec(parameter)?.[1])
        .find((found) => found !== undefined);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of wishes) {
    const base = tag.split('-')[0] ?? '';
    const known = codeOf(tag) ?? codeOf(base) ?? base;
    if (isLanguage(known)) return known;
  }
  return 'en';
}
