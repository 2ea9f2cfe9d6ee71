import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { DataKey } from './data-seal.js';
import { isLoopback, trustOf } from './http/addresses.js';
import { RETAINED, RETENTION_DEFAULT_DAYS, type Retained } from './retention.js';
import { secretChecks, weakSecrets, withSecretFiles, type SecretCheck } from './secrets.js';
import { isServiceKey, makeServiceKey, publicKeyOf, ServiceKeys } from './service-keys.js';
import { EDGE_SERVICE, EXAMPLE_SCHEMAS, PRICE_SOURCES, SECRET_OWNERS, SERVICE_NAMES } from './services.js';

const flag = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1');
const port = z.coerce
  .number('must be a port number')
  .int('must be a port number')
  .min(0, 'must be a port number')
  .max(65_535, 'must be a port number');
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
/** Origins as a browser writes them: scheme, name and port, nothing after it. */
const origins = list.refine(
  (all) => all.every((text) => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text)),
  'must be origins without a path, such as https://exchange.example',
);
const proxies = list.refine((all) => {
  try {
    trustOf(all);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}, 'must be addresses or networks, such as 10.0.0.0/8');
const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol),
      `must be an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    );
const secret = z.string().min(16, 'must have at least 16 characters');
/** `id:secret`, newest first. */
const dataKeys = list.transform((all, context): readonly DataKey[] => {
  const keys = all.map((text) => ({ id: text.slice(0, text.indexOf(':')), secret: text.slice(text.indexOf(':') + 1) }));
  if (
    keys.every(({ id, secret }) => /^[a-z0-9][a-z0-9-]{0,15}$/.test(id) && secret.length >= 32) &&
    new Set(keys.map(({ id }) => id)).size === keys.length &&
    new Set(keys.map(({ secret }) => secret)).size === keys.length &&
    !keys.some(({ secret }) => secret.includes('replace-me'))
  )
    return keys;
  context.addIssue({
    code: 'custom',
    message:
      'must be id:secret with commas between them, newest first; ids of a-z, 0-9 ' +
      'and dashes, secrets of 32 characters and more',
  });
  return z.NEVER;
});
const node = url('http:', 'https:');
/** A setting that is JSON text; absent: an empty object. `what` says what maps to what. */
const json = <S extends z.ZodType>(what: string, shape: S) =>
  z
    .string()
    .default('{}')
    .transform((text, context) => {
      const parsed = shape.safeParse(parseJson(text));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: 'custom', message: `must be JSON of ${what}` });
      return z.NEVER;
    });
const services = z.string().transform((text, context) => {
  const parsed = z.record(z.string(), z.url()).safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: 'must be JSON of service name to base address' });
  return z.NEVER;
});

const schema = z.object({
  NODE_ENV: z.string().optional(),
  BOURSE_DEV: flag.default(false),
  BOURSE_DEV_PUBLIC: flag.default(false),
  BOURSE_RUN: z.enum(['embedded', 'distributed'], 'must be embedded or distributed').default('embedded'),
  BOURSE_SERVICE: z.string().default('exchange'),
  BOURSE_EXAMPLES: list
    .default([])
    .refine(
      (names) => names.every((name) => Object.hasOwn(EXAMPLE_SCHEMAS, name)),
      `must be names of examples that are services: ${Object.keys(EXAMPLE_SCHEMAS).join(', ') || 'there are none'}`,
    ),
  HOST: z.string().min(1).optional(),
  PORT: port.default(8080),
  SOCKET_PORT: port.default(0),
  BOURSE_SERVICE_PORT: port.default(0),
  BOURSE_SERVICES: services.default({}),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_ROLE_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,20}$/, 'must be up to 21 small letters, digits and _, a letter first')
    .default('bourse_'),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  REDIS_CA_FILE: z.string().optional(),
  KAFKA_BROKERS: list.default([]),
  KAFKA_SSL: flag.default(false),
  KAFKA_SSL_CA_FILE: z.string().optional(),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'], 'must be plain, scram-sha-256 or scram-sha-512')
    .optional(),
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD: z.string().optional(),
  KAFKA_SASL_PASSWORD_FILE: z.string().optional(),
  MARKET_DATA_DIR: z.string().optional(),
  PRICE_FEED: z
    .string()
    .regex(
      /^(auto|recorded|simulated|live:[a-z0-9]+|scripted:.+)$/,
      'must be auto, recorded, simulated, live:<exchange> or scripted:<file>',
    )
    .optional(),
  MAKER: z.enum(['on', 'off'], 'must be on or off').optional(),
  DEMO_PACE: z.enum(['calm', 'watched', 'always'], 'must be calm, watched or always').optional(),
  RATE_SCALE: z.coerce.number('must be a positive number').positive('must be a positive number').optional(),
  LEDGER_PARTITIONS: z.coerce
    .number('must be a count from 1 to 64')
    .int('must be a count from 1 to 64')
    .min(1, 'must be a count from 1 to 64')
    .max(64, 'must be a count from 1 to 64')
    .default(1),
  DATA_DIR: z.string().min(1).default('.data'),
  TERMINAL_DIR: z.string().optional(),
  JWT_SECRET: secret.optional(),
  INTERNAL_SECRET: secret.optional(),
  INTERNAL_KEY: z.string().refine(isServiceKey, 'must be 32 bytes as base64url (npx bourse keys makes it)').optional(),
  INTERNAL_PUBLIC_KEYS: json(
    'service name to public key (npx bourse keys makes it)',
    z.record(z.string(), z.string().refine(isServiceKey)),
  ),
  PASSWORD_PEPPER: secret.optional(),
  PASSWORD_PEPPERS_OLD: list.default([]),
  DATA_KEYS: dataKeys.default([]),
  RETENTION_DAYS: json(
    'what is kept to a count of days (docs/data-keys.md)',
    z.partialRecord(z.enum(RETAINED), z.number().int().min(1).max(36_500)),
  ),
  ANSWER_SECRET: secret.optional(),
  WALLET_MIDDLEWARE_SECRET: z.string().min(8, 'must have at least 8 characters').optional(),
  WALLET_KEY_SECRET: secret.optional(),
  WALLET_KEY_SECRET_OLD: list.default([]),
  CHAIN_BITCOIN_URL: node.optional(),
  CHAIN_LITECOIN_URL: node.optional(),
  CHAIN_DOGECOIN_URL: node.optional(),
  CHAIN_ETHEREUM_URL: node.optional(),
  CHAIN_ETHEREUM_ID: z.coerce
    .number('must be the number of a chain')
    .int('must be the number of a chain')
    .positive('must be the number of a chain')
    .default(1),
  NETWORK_OVERRIDES: json(
    'network id to { contract_address?, confirmations? }',
    z.record(
      z.string().regex(/^[1-9]\d{0,8}$/),
      z.strictObject({
        contract_address: z.string().max(100).optional(),
        confirmations: z.number().int().min(1).max(1_000).optional(),
      }),
    ),
  ),
  COLD_ADDRESSES: json('chain name to address', z.record(z.string(), z.string().min(1).max(200))),
  HOT_CEILINGS: json(
    'network id to amount',
    z.record(z.string().regex(/^[1-9]\d{0,8}$/), z.string().regex(/^(0|[1-9]\d{0,17})(\.\d{1,18})?$/)),
  ),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  SMTP_FROM: z.string().default('Bourse <no-reply@localhost>'),
  SMS_URL: url('http:', 'https:').optional(),
  TRUSTED_PROXIES: proxies.default([]),
  PUBLIC_ORIGINS: origins.default([]),
  CORS_ORIGINS: list.default([]),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  SUPPORT_URL: z.string().default(''),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be a level from fatal to trace, or silent',
    )
    .default('info'),
});
type Env = z.output<typeof schema>;
type FileName = 'REDIS_CA_FILE' | 'KAFKA_SSL_CA_FILE' | 'KAFKA_SASL_PASSWORD_FILE';
export type SecretName =
  | 'JWT_SECRET'
  | 'INTERNAL_SECRET'
  | 'PASSWORD_PEPPER'
  | 'ANSWER_SECRET'
  | 'WALLET_MIDDLEWARE_SECRET'
  | 'WALLET_KEY_SECRET';
/** What an install may say of a network otherwise than its catalog: a token of a test chain, another depth. */
export interface NetworkOverride {
  readonly contract_address?: string | undefined;
  readonly confirmations?: number | undefined;
}
/** How a process shows itself to Kafka, and knows the broker. */
export interface KafkaAccess {
  /** TLS to the broker. */
  readonly ssl: boolean;
  /** Certificates of who may vouch for the broker, PEM; null: those of the system. */
  readonly ca: string | null;
  readonly sasl: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  } | null;
}
/** Chains that a node can be configured for. */
export type NodeChain = 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum';

/** Where a production edge shows its metrics unless told otherwise. */
const METRICS_PORT = 9464;

/** The settings of this process, read once. No other code reads the environment. */
export class Config {
  /** A demo install: `/dev/*`, demo people, generated secrets. */
  readonly dev: boolean;
  /** A demo install may be used from other machines: its `/dev` calls too, under the names of `PUBLIC_ORIGINS`. */
  readonly devPublic: boolean;
  readonly run: 'embedded' | 'distributed';
  /** Name of this process in the distributed run; `exchange` in the embedded one. */
  readonly service: string;
  /** Services of `examples/` that run in this process, on a demo install in one process alone. */
  readonly examples: readonly string[];
  readonly host: string;
  readonly port: number;
  /** Second port of the socket server; 0: none. */
  readonly socketPort: number;
  readonly servicePort: number;
  /** Base address of each service, distributed run only. */
  readonly services: Readonly<Record<string, string>>;
  /** Null: the embedded run starts its own PostgreSQL. */
  readonly databaseUrl: string | null;
  /** Before the name of a schema, its role in the database: roles are global to a server. */
  readonly databaseRolePrefix: string;
  readonly redisUrl: string | null;
  /** Certificates of who may vouch for a Redis of `rediss://`, PEM; null: those of the system. */
  readonly redisCa: string | null;
  readonly kafkaBrokers: readonly string[];
  readonly kafkaAccess: KafkaAccess;
  readonly marketDataDir: string | null;
  /** Where index prices come from; on a production install always `live:<exchange>`. */
  readonly priceFeed: string;
  /** Whether the house quotes: on a demo install unless `MAKER=off`, on a production install only with `MAKER=on`. */
  readonly maker: boolean;
  /** Whether a second house account takes from the quotes, so that a demo is alive: never on a production install. */
  readonly taker: boolean;
  /**
   * When the market of a demo install is lively: never (`calm`), while somebody looks (`watched`), or `always`. Every
   * order is stored for ever, so `always` fills a disk.
   */
  readonly demoPace: 'calm' | 'watched' | 'always';
  /** Multiplies every rate of api §1.7. */
  readonly rateScale: number;
  readonly ledgerPartitions: number;
  readonly dataDir: string;
  /** Folder of the built terminal; null: the one of this workspace. */
  readonly terminalDir: string | null;
  // In the distributed run a secret that is not the service's own is empty (`SECRET_OWNERS`).
  readonly jwtSecret: string;
  readonly internalSecret: string;
  readonly passwordPepper: string;
  /** Peppers of before: passwords hashed under them are right still, and hashed anew at the next sign-in. */
  readonly passwordPeppersOld: readonly string[];
  /** What personal data is sealed under, newest first; empty: a secret of the service stands in. */
  readonly dataKeys: readonly DataKey[];
  /** Days for which things are kept, each with its default. */
  readonly retentionDays: Readonly<Record<Retained, number>>;
  readonly answerSecret: string;
  readonly walletMiddlewareSecret: string;
  /** Under this the seed of all wallets lies encrypted. */
  readonly walletKeySecret: string;
  /** Secrets that it replaces: they open the seed once more, nothing is sealed under them. */
  readonly walletKeySecretsOld: readonly string[];
  /** Addresses of the nodes, by chain. A chain without one is simulated on a demo install and absent otherwise. */
  readonly chainUrls: Readonly<Partial<Record<NodeChain, string>>>;
  /** Number of the EVM chain (EIP-155). */
  readonly ethereumChainId: number;
  /** By network id. */
  readonly networkOverrides: Readonly<Record<string, NetworkOverride>>;
  /** Where hot wallets give what is above their ceiling, by chain name. */
  readonly coldAddresses: Readonly<Record<string, string>>;
  /** The most that a hot wallet keeps, decimal amount by network id. */
  readonly hotCeilings: Readonly<Record<string, string>>;
  readonly smtpUrl: string | null;
  readonly smtpFrom: string;
  readonly smsUrl: string | null;
  /** Addresses and networks whose word about the client's address is believed; see `trustOf`. */
  readonly trustedProxies: readonly string[];
  /** Origins under which people open the exchange. */
  readonly publicOrigins: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Port of the edge for metrics and details of health; 0: none, they are told to this machine on the main port. */
  readonly metricsPort: number;
  readonly metricsHost: string;
  readonly supportUrl: string;
  readonly logLevel: string;

  /**
   * What this service shows itself to the others by. @throws Error where nobody has given one and none is made: the
   * embedded run of production.
   */
  readonly keys: () => ServiceKeys;
  /** By what the secrets of this process are recognised, by name. */
  readonly secretChecks: Readonly<Record<string, SecretCheck>>;

  constructor(
    env: Env,
    secretOf: (name: SecretName) => string,
    fileOf: (name: FileName) => string | null,
    keysOf: () => ServiceKeys,
    checksOf: (used: Readonly<Record<SecretName, string>>) => Readonly<Record<string, SecretCheck>>,
  ) {
    this.dev = env.BOURSE_DEV;
    this.devPublic = env.BOURSE_DEV && env.BOURSE_DEV_PUBLIC;
    this.run = env.BOURSE_RUN;
    this.service = env.BOURSE_SERVICE;
    this.examples = env.BOURSE_EXAMPLES;
    this.host =
      env.HOST ?? (this.dev || (this.run === 'distributed' && this.service !== EDGE_SERVICE) ? '127.0.0.1' : '0.0.0.0');
    this.port = env.PORT;
    this.socketPort = env.SOCKET_PORT;
    this.servicePort = env.BOURSE_SERVICE_PORT;
    this.services = env.BOURSE_SERVICES;
    this.databaseUrl = env.DATABASE_URL ?? null;
    this.databaseRolePrefix = env.DATABASE_ROLE_PREFIX;
    this.redisUrl = env.REDIS_URL ?? null;
    this.redisCa = fileOf('REDIS_CA_FILE');
    this.kafkaBrokers = env.KAFKA_BROKERS;
    this.kafkaAccess = {
      ssl: env.KAFKA_SSL,
      ca: fileOf('KAFKA_SSL_CA_FILE'),
      sasl:
        env.KAFKA_SASL_MECHANISM === undefined
          ? null
          : {
              mechanism: env.KAFKA_SASL_MECHANISM,
              username: env.KAFKA_SASL_USERNAME ?? '',
              password: env.KAFKA_SASL_PASSWORD ?? fileOf('KAFKA_SASL_PASSWORD_FILE')?.trim() ?? '',
            },
    };
    this.marketDataDir = env.MARKET_DATA_DIR ? resolve(env.MARKET_DATA_DIR) : null;
    this.priceFeed = env.PRICE_FEED ?? 'auto';
    this.maker = (env.MAKER ?? (this.dev ? 'on' : 'off')) === 'on';
    this.taker = this.dev && this.maker;
    this.demoPace = env.DEMO_PACE ?? 'watched';
    this.rateScale = env.RATE_SCALE ?? (this.dev ? 100 : 1);
    this.ledgerPartitions = env.LEDGER_PARTITIONS;
    this.dataDir = resolve(env.DATA_DIR);
    this.terminalDir = env.TERMINAL_DIR ? resolve(env.TERMINAL_DIR) : null;
    this.jwtSecret = secretOf('JWT_SECRET');
    this.internalSecret = secretOf('INTERNAL_SECRET');
    this.passwordPepper = secretOf('PASSWORD_PEPPER');
    this.passwordPeppersOld = this.passwordPepper === '' ? [] : env.PASSWORD_PEPPERS_OLD;
    this.dataKeys = env.DATA_KEYS;
    this.retentionDays = { ...RETENTION_DEFAULT_DAYS, ...env.RETENTION_DAYS };
    this.answerSecret = secretOf('ANSWER_SECRET');
    this.walletMiddlewareSecret = secretOf('WALLET_MIDDLEWARE_SECRET');
    this.walletKeySecret = secretOf('WALLET_KEY_SECRET');
    this.walletKeySecretsOld = this.walletKeySecret === '' ? [] : env.WALLET_KEY_SECRET_OLD;
    let keys: ServiceKeys | undefined;
    this.keys = () => (keys ??= keysOf());
    this.secretChecks = checksOf({
      JWT_SECRET: this.jwtSecret,
      INTERNAL_SECRET: this.internalSecret,
      PASSWORD_PEPPER: this.passwordPepper,
      ANSWER_SECRET: this.answerSecret,
      WALLET_MIDDLEWARE_SECRET: this.walletMiddlewareSecret,
      WALLET_KEY_SECRET: this.walletKeySecret,
    });
    this.chainUrls = Object.fromEntries(
      Object.entries({
        bitcoin: env.CHAIN_BITCOIN_URL,
        litecoin: env.CHAIN_LITECOIN_URL,
        dogecoin: env.CHAIN_DOGECOIN_URL,
        ethereum: env.CHAIN_ETHEREUM_URL,
      }).filter(([, value]) => value !== undefined),
    );
    this.ethereumChainId = env.CHAIN_ETHEREUM_ID;
    this.networkOverrides = env.NETWORK_OVERRIDES;
    this.coldAddresses = env.COLD_ADDRESSES;
    this.hotCeilings = env.HOT_CEILINGS;
    this.smtpUrl = env.SMTP_URL ?? null;
    this.smtpFrom = env.SMTP_FROM;
    this.smsUrl = env.SMS_URL ?? null;
    this.trustedProxies = env.TRUSTED_PROXIES;
    this.publicOrigins = env.PUBLIC_ORIGINS;
    this.corsOrigins = env.CORS_ORIGINS;
    this.metricsPort = env.METRICS_PORT ?? (this.dev ? 0 : METRICS_PORT);
    this.metricsHost = env.METRICS_HOST;
    this.supportUrl = env.SUPPORT_URL;
    this.logLevel = env.LOG_LEVEL;
  }
}

/** A setting is missing or wrong. The message names every bad variable with its reason; secrets are not repeated. */
export class ConfigError extends Error {
  /** For programs that do not share our classes. */
  readonly forPeople = true;

  constructor(readonly problems: readonly string[]) {
    super(`The settings do not fit:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/**
 * Reads and checks the environment; `overrides` are what the runner found out itself (the address of a database it has
 * started). On a demo install missing secrets are made once and kept, readable by their owner only, in
 * `DATA_DIR/secrets`. A secret may lie in a file that `<NAME>_FILE` names. For a `tool` only the secrets are demanded
 * that it lists, none is ever made, and what only a process that serves must have is not checked. Throws `ConfigError`
 * [EDGE_SERVICE-001].
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  overrides: Readonly<Record<string, string>> = {},
  { tool }: { readonly tool?: readonly SecretName[] } = {},
): Config {
  const { values: given, problems: unread } = withSecretFiles(
    Object.fromEntries(
      Object.entries({ ...env, ...overrides }).filter(([, value]) => value !== undefined && value !== ''),
    ),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const wrong = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
    const others = Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name)));
    throw new ConfigError([
      ...unread,
      ...(given['BOURSE_DEV'] === '1' ? [] : weakSecrets(others)),
      ...parsed.error.issues.map(
        (issue) => `${issue.path.join('.')} ${issue.message}${shown(String(issue.path[0]), given)}`,
      ),
    ]);
  }
  const values = parsed.data;
  const problems = [...unread, ...(tool ? [] : wrongTogether(values))];
  if (!values.BOURSE_DEV) problems.push(...weakSecrets(given));
  const config = new Config(
    values,
    (name) => {
      if (!takes(values, name)) return '';
      const value = values[name];
      if (value !== undefined) return value;
      if (Object.hasOwn(given, `${name}_FILE`)) return ''; // its file was named above
      const dataDir = resolve(values.DATA_DIR);
      if (values.BOURSE_DEV && (!tool || existsSync(join(dataDir, 'secrets', name))))
        return problems.length === 0 ? keptSecret(dataDir, name) : '';
      if (tool && !tool.includes(name)) return '';
      problems.push(
        values.BOURSE_DEV
          ? `${name} is missing, and ${join(dataDir, 'secrets')} has none: give the one that the exchange runs with`
          : `${name} is missing; set it to 32 random bytes (openssl rand -base64 ` +
              `32), or ${name}_FILE to a file that holds them`,
      );
      return '';
    },
    (name) => {
      const file = values[name];
      if (file === undefined) return null;
      try {
        return readFileSync(resolve(file), 'utf8');
      } catch (error) {
        problems.push(`${name} names a file that cannot be read: ${(error as Error).message}`);
        return null;
      }
    },
    () => keysOf(values),
    (used) => secretChecks(used, given),
  );
  if (values.INTERNAL_KEY !== undefined && problems.length === 0) {
    try {
      config.keys();
    } catch (error) {
      problems.push(`INTERNAL_KEY does not fit INTERNAL_PUBLIC_KEYS: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function* wrongTogether(env: Env): Generator<string> {
  if (env.BOURSE_DEV) {
    if (/^prod/i.test(env.NODE_ENV ?? ''))
      yield `BOURSE_DEV=1 serves /dev calls and must not be set in production (NODE_ENV=${env.NODE_ENV})`;
    if (env.HOST !== undefined && !staysHere(env.HOST) && !env.BOURSE_DEV_PUBLIC)
      yield (
        `HOST=${env.HOST} shows a demo install to other machines: its passwords are public, and every code is at ` +
        '/dev/inbox. Leave HOST unset, or set BOURSE_DEV_PUBLIC=1 where that is meant'
      );
  } else if (env.BOURSE_DEV_PUBLIC) yield 'BOURSE_DEV_PUBLIC=1 is for demo installs (BOURSE_DEV=1) only';
  if (!env.BOURSE_DEV) {
    // Only the process that has the prices needs the name of their exchange; a wrong one is refused everywhere.
    if (env.PRICE_FEED === undefined) {
      if (env.BOURSE_RUN === 'embedded' || PRICE_SOURCES.includes(env.BOURSE_SERVICE))
        yield (
          'PRICE_FEED is missing; set it to live:<exchange>, such as live:binance ' +
          '(recorded and simulated prices are for demo installs)'
        );
    } else if (!env.PRICE_FEED.startsWith('live:'))
      yield (
        `PRICE_FEED=${env.PRICE_FEED.split(':')[0]} is for demo installs ` +
        '(BOURSE_DEV=1) only; set it to live:<exchange>'
      );
  }
  if (env.BOURSE_EXAMPLES.length > 0 && (!env.BOURSE_DEV || env.BOURSE_RUN === 'distributed'))
    yield 'BOURSE_EXAMPLES is for demo installs (BOURSE_DEV=1) in one process only';
  if (env.KAFKA_SSL_CA_FILE !== undefined && !env.KAFKA_SSL) yield 'KAFKA_SSL_CA_FILE is of no use without KAFKA_SSL=1';
  if (env.KAFKA_SASL_MECHANISM === undefined) {
    if (env.KAFKA_SASL_USERNAME !== undefined)
      yield 'KAFKA_SASL_MECHANISM is missing; KAFKA_SASL_USERNAME says that the broker asks who we are';
  } else {
    if (env.KAFKA_SASL_USERNAME === undefined) yield 'KAFKA_SASL_USERNAME is missing; KAFKA_SASL_MECHANISM needs it';
    if ((env.KAFKA_SASL_PASSWORD === undefined) === (env.KAFKA_SASL_PASSWORD_FILE === undefined))
      yield 'KAFKA_SASL_PASSWORD or KAFKA_SASL_PASSWORD_FILE must be set, and only one of them';
  }
  if (env.BOURSE_RUN === 'distributed') {
    if (!env.DATABASE_URL) yield 'DATABASE_URL is missing; the distributed run needs it';
    if (!env.REDIS_URL) yield 'REDIS_URL is missing; the distributed run needs it';
    if (env.KAFKA_BROKERS.length === 0) yield 'KAFKA_BROKERS is missing; the distributed run needs it';
    if (Object.keys(env.BOURSE_SERVICES).length === 0) yield 'BOURSE_SERVICES is missing; the distributed run needs it';
    if (env.INTERNAL_KEY === undefined && !env.BOURSE_DEV)
      yield 'INTERNAL_KEY is missing; the distributed run needs it (npx bourse keys makes one for each service)';
    if (env.INTERNAL_KEY !== undefined)
      for (const name of Object.keys(env.BOURSE_SERVICES))
        if (!Object.hasOwn(env.INTERNAL_PUBLIC_KEYS, name)) yield `INTERNAL_PUBLIC_KEYS has no key of ${name}`;
  }
}

/**
 * Whether this process has a use for a secret: in the distributed run a service has its own alone, and one that is
 * broken into gives away no other.
 */
const takes = ({ BOURSE_RUN, BOURSE_SERVICE }: Env, name: SecretName): boolean =>
  BOURSE_RUN === 'embedded' || (SECRET_OWNERS[name] as readonly string[]).includes(BOURSE_SERVICE);

function keysOf(env: Env): ServiceKeys {
  if (env.INTERNAL_KEY !== undefined)
    return new ServiceKeys(env.BOURSE_SERVICE, env.INTERNAL_KEY, env.INTERNAL_PUBLIC_KEYS);
  if (!env.BOURSE_DEV) throw new Error('INTERNAL_KEY is not set: this process can neither ask others nor be asked');
  const names = new Set([...SERVICE_NAMES, ...Object.keys(env.BOURSE_SERVICES), env.BOURSE_SERVICE]);
  const own = (name: string): string => keptSecret(resolve(env.DATA_DIR), `INTERNAL_KEY.${name}`, makeServiceKey);
  return new ServiceKeys(
    env.BOURSE_SERVICE,
    own(env.BOURSE_SERVICE),
    Object.fromEntries([...names].map((name) => [name, publicKeyOf(own(name))])),
  );
}

/** Whether only this machine reaches what listens there. */
const staysHere = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || isLoopback(host.replace(/^\[(.*)\]$/, '$1'));

function shown(name: string, given: Readonly<Record<string, string | undefined>>): string {
  const value = given[name];
  return value === undefined || /SECRET|PEPPER|PASSWORD|INTERNAL_KEY|DATA_KEYS|URL/.test(name)
    ? ''
    : ` (it is ${JSON.stringify(value)})`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return error;
  }
}

/** Several processes may start at once: the first link of the file wins, and all read the same secret. */
export function keptSecret(
  dataDir: string,
  name: string,
  make: () => string = () => randomBytes(32).toString('base64url'),
): string {
  const folder = join(dataDir, 'secrets');
  const file = join(folder, name);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const own = `${file}.${process.pid}`;
    writeFileSync(own, make(), { mode: 0o600 });
    try {
      linkSync(own, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(own, { force: true });
    }
  }
  return readFileSync(file, 'utf8').trim();
}
