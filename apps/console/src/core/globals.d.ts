/** Origin of the exchange if the console has its own (`CONSOLE_EXCHANGE` of the build), else empty. */
declare const __EXCHANGE__: string;

/** Made by the build from `libs/i18n/src/bundles` (`textsByLanguage` of `@bourse/web/build`). */
declare module 'texts:languages' {
  export const TEXTS: import('@bourse/web').TextTable;
}
