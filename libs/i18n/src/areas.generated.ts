// Written by `npm run services` from the files of libs/i18n/src/bundles/en.

/** The areas the texts are split into; a route loads the ones it names. */
export const AREAS = ['core', 'account', 'box', 'chat', 'help', 'lever', 'micro', 'trade', 'wallet', 'server'] as const;
