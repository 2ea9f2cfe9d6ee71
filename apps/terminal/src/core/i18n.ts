import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { TEXTS } from 'texts:languages';
import { DEFAULT_LOCALE, isLocaleCode, LOCALES, type Area, type LocaleCode } from '@bourse/i18n';
import { readStored, writeStored } from '../prefs/storage.js';

const loaded = new Map<LocaleCode, Set<Area>>();
/** Areas any screen of this visit asked for: a change of language loads them all before it shows. */
const wanted = new Set<Area>(['core']);

/** The stored language, else the browser's if it is one of ours, else English. */
export function startLocale(): LocaleCode {
  const stored = readStored('locale');
  if (isLocaleCode(stored)) return stored;
  return DEFAULT_LOCALE;
}

/** Starts i18next with the core texts of the stored language. */
export async function startTexts(): Promise<void> {
  const lng = startLocale();
  await i18next.use(initReactI18next).init({
    lng,
    fallbackLng: DEFAULT_LOCALE,
    supportedLngs: Object.keys(LOCALES),
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false, bindI18nStore: 'added' },
    resources: {},
  });
  // Our codes are not all language tags: the plural rules are looked up by the tag of the table.
  const resolver = (i18next.services as { pluralResolver: { getRule(code: string): Intl.PluralRules } }).pluralResolver;
  resolver.getRule = (code) => new Intl.PluralRules(isLocaleCode(code) ? LOCALES[code].pluralTag : DEFAULT_LOCALE);
  await loadAreas(['core']);
  showLocale(lng);
}

/** Loads areas in the current language; a route waits for code and texts together. */
export async function loadAreas(areas: readonly Area[]): Promise<void> {
  for (const area of areas) wanted.add(area);
  await loadFor(current(), areas);
}

/** Switches in place. When the texts cannot be loaded the old language stays. @throws when they cannot */
export async function changeLocale(code: LocaleCode): Promise<void> {
  await loadFor(code, [...wanted]);
  writeStored('locale', code);
  await i18next.changeLanguage(code);
  showLocale(code);
}

export function current(): LocaleCode {
  return isLocaleCode(i18next.language) ? i18next.language : DEFAULT_LOCALE;
}

async function loadFor(code: LocaleCode, areas: readonly Area[]): Promise<void> {
  const have = loaded.get(code) ?? new Set<Area>();
  loaded.set(code, have);
  const missing = areas.filter((area) => !have.has(area));
  if (missing.length === 0) return;
  const { core, ...files } = (await TEXTS[code]()).default;
  await Promise.all(
    missing.map(async (area) => {
      const texts = area === 'core' ? core : await files[area]();
      i18next.addResourceBundle(code, 'translation', texts, true, true);
      have.add(area);
    }),
  );
}

function showLocale(code: LocaleCode): void {
  const { htmlLang, dir } = LOCALES[code];
  document.documentElement.lang = htmlLang;
  document.documentElement.dir = dir;
}
