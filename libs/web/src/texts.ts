import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isLanguage, type Language } from '@bourse/contract';
import { DEFAULT_LOCALE, LOCALES, type Area } from '@bourse/i18n';

type Bundle = Readonly<Record<string, string>>;
/** The core texts of a language, which come with its file, and the way to its other areas. */
export type LanguageTexts = { readonly core: Bundle } & Readonly<
  Partial<Record<Exclude<Area, 'core'>, () => Promise<Bundle>>>
>;
/** `TEXTS` of `texts:languages`, which the build makes (`textsByLanguage` of `@bourse/web/build`). */
export type TextTable = Readonly<Record<Language, () => Promise<{ default: LanguageTexts }>>>;

export interface PageTexts {
  /** Starts i18next with the core texts of the stored language. */
  startTexts(): Promise<void>;
  /** Loads areas in the current language; a route waits for code and texts together. May be called before the start. */
  loadAreas(areas: readonly Area[]): Promise<void>;
  /** Switches in place. When the texts cannot be loaded the old language stays. @throws when they cannot */
  changeLocale(code: Language): Promise<void>;
  current(): Language;
}

/** The texts of a page. @param fallback areas whose English texts are used where a language has none of its own */
export function pageTexts(
  table: TextTable,
  stored: { read(): string | null; write(code: Language): void },
  fallback: readonly Area[] = [],
): PageTexts {
  const loaded = new Map<Language, Set<Area>>();
  /** Areas that the screens of this visit need: a change of language loads them all before it shows. */
  const wanted = new Set<Area>(['core']);
  let start: () => void = () => undefined;
  /** Resolves when i18next can take texts. Their files are requested earlier. */
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });

  const startLocale = (): Language => {
    const code = stored.read();
    return isLanguage(code) ? code : DEFAULT_LOCALE;
  };
  const current = (): Language => (isLanguage(i18next.language) ? i18next.language : startLocale());

  const loadFor = async (code: Language, areas: readonly Area[]): Promise<void> => {
    const have = loaded.get(code) ?? new Set<Area>();
    loaded.set(code, have);
    const missing = areas.filter((area) => !have.has(area));
    if (missing.length === 0) return;
    const { core, ...files } = (await table[code]()).default;
    await Promise.all(
      missing.map(async (area) => {
        const texts = area === 'core' ? core : await files[area]?.();
        await started;
        if (texts !== undefined) i18next.addResourceBundle(code, 'translation', texts, true, true);
        else if (code !== DEFAULT_LOCALE && fallback.includes(area)) await loadFor(DEFAULT_LOCALE, [area]);
        else throw new Error(`no texts of ${area} in ${code}`);
        have.add(area);
      }),
    );
  };

  return {
    current,
    async startTexts() {
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
      const { pluralResolver } = i18next.services as { pluralResolver: { getRule(code: string): Intl.PluralRules } };
      pluralResolver.getRule = (code) =>
        new Intl.PluralRules(isLanguage(code) ? LOCALES[code].pluralTag : DEFAULT_LOCALE);
      start();
      await loadFor(lng, ['core']);
      showLocale(lng);
    },
    async loadAreas(areas) {
      for (const area of areas) wanted.add(area);
      await loadFor(current(), areas);
    },
    async changeLocale(code) {
      await loadFor(code, [...wanted]);
      stored.write(code);
      await i18next.changeLanguage(code);
      showLocale(code);
    },
  };
}

function showLocale(code: Language): void {
  const { htmlLang, dir } = LOCALES[code];
  document.documentElement.lang = htmlLang;
  document.documentElement.dir = dir;
}
