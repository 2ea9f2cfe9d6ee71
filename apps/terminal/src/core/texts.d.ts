/** Made by the build from `libs/i18n/src/bundles` (`textsByLanguage` of `vite.config.ts`). */
declare module 'texts:languages' {
  import type { Area, LocaleCode } from '@bourse/i18n';

  type Texts = Readonly<Record<string, string>>;
  /** The core texts of a language, which come with its file, and the way to its other areas. */
  type LanguageTexts = { readonly core: Texts } & Readonly<Record<Exclude<Area, 'core'>, () => Promise<Texts>>>;
  export const TEXTS: Readonly<Record<LocaleCode, () => Promise<{ default: LanguageTexts }>>>;
}
