// Written by `npm run services` from the files of libs/i18n/src/bundles/en.

/** The areas the texts are split into; a route loads the ones it names. */
export const AREAS = [
  'core',
  'acc',
  'account',
  'box',
  'charts',
  'chat',
  'complaints',
  'console',
  'convert',
  'deals',
  'front',
  'help',
  'lever',
  'micro',
  'pages',
  'points',
  'policy',
  'savings',
  'security',
  'shops',
  'team',
  'trade',
  'wallet',
  'server',
] as const;
