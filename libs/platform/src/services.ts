/**
 * The services of the exchange, each with the schema of the database that is its own. Process, key, login and schema
 * have the service's name.
 */
export const SERVICE_SCHEMAS = {
  gateway: 'gateway',
  auth: 'auth',
  'wallet-ledger': 'ledger',
  'spot-matching': 'spot',
  'market-data': 'market',
  notices: 'notices',
} as const;
export type ServiceName = keyof typeof SERVICE_SCHEMAS;
export const SERVICE_NAMES = Object.keys(SERVICE_SCHEMAS) as readonly ServiceName[];

/** Secrets of `.env.example`, and whose they are: in the distributed run a process takes none that is not its own. */
export const SECRET_OWNERS = {
  /** The gateway verifies what auth has signed. */
  JWT_SECRET: ['auth', 'gateway'],
  /** Addresses of images: auth and gateway make them, the gateway honours them. */
  INTERNAL_SECRET: ['auth', 'gateway'],
  PASSWORD_PEPPER: ['auth'],
  ANSWER_SECRET: ['gateway'],
  WALLET_MIDDLEWARE_SECRET: ['wallet-ledger'],
  WALLET_KEY_SECRET: ['wallet-ledger'],
} as const satisfies Readonly<Record<string, readonly ServiceName[]>>;
