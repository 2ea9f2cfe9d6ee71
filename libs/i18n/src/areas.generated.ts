// Written by `npm run services` from the files of libs/i18n/src/bundles/en.

/** The areas the texts are split into; a route loads the ones it names. */
export const AREAS = [
  'core',
  'acc',
  'account',
  'box',
  'chat',
  'deals',
  'help',
  'lever',
  'micro',
  'points',
  'savings',
  'shops',
  'trade',
  'wallet',
  'server',
] as const;
