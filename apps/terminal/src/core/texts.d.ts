/** Made by the build from `libs/i18n/src/bundles` (`textsByLanguage` of `@bourse/web/build`). */
declare module 'texts:languages' {
  export const TEXTS: import('@bourse/web').TextTable;
}
