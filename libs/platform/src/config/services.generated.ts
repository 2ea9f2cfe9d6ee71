// Written by `npm run services` from the manifests of the services (service.json): change those.

/** The services of the exchange, each with the schema of the database that is its own. */
export const SERVICE_SCHEMAS = {
  gateway: 'gateway',
  auth: 'auth',
  'wallet-ledger': 'ledger',
  'spot-matching': 'spot',
  'market-data': 'market',
  notices: 'notices',
  'lever-risk': 'lever',
  'micro-settlement': 'micro',
  'c2c-escrow': 'escrow',
  savings: 'savings',
  points: 'points',
} as const;

/** Services of `examples/`, which run on demo installs alone, where they are asked for. */
export const EXAMPLE_SCHEMAS = {
  'service-template': 'template',
} as const;

/** The service that faces people. */
export const EDGE_SERVICE = 'gateway';

/** The services whose process names where index prices come from. */
export const PRICE_SOURCES: readonly string[] = ['market-data'];

/** The services that take in and read pictures that people have uploaded for them. */
export const PICTURE_READERS: readonly (keyof typeof SERVICE_SCHEMAS)[] = ['notices', 'c2c-escrow'];

/** Secrets of `.env.example`, and whose they are: in the distributed run a process takes none that is not its own. */
export const SECRET_OWNERS = {
  ANSWER_SECRET: ['gateway'],
  INTERNAL_SECRET: ['gateway', 'auth', 'notices', 'c2c-escrow', 'points'],
  JWT_SECRET: ['gateway', 'auth'],
  PASSWORD_PEPPER: ['auth'],
  TICK_KEY_SECRET: ['market-data'],
  WALLET_KEY_SECRET: ['wallet-ledger'],
  WALLET_MIDDLEWARE_SECRET: ['wallet-ledger'],
} as const;

/** Rows of the tables `meta` that only a demo install has: known installs from before their kind was written down. */
export const SEED_MARKS: readonly string[] = [
  'seed.people',
  'seed.operators',
  'ledger:seeded',
  'seed.news',
  'seed.acceptors',
];
