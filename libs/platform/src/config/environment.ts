import { z } from 'zod';
import { RETAINED } from './retention.js';
import { isServiceKey } from '../security/service-keys.js';
import { EXAMPLE_SCHEMAS } from './services.js';
import {
  dataKeys,
  flag,
  json,
  list,
  node,
  origins,
  partitions,
  port,
  proxies,
  secret,
  services,
  url,
} from './setting-kinds.js';

/** Whether a list behind a colon has no name twice: a median must not count one source as two. */
function namesEachOnce(feed: string): boolean {
  const names = feed.slice(feed.indexOf(':') + 1).split(',');
  return new Set(names).size === names.length;
}

/** The variables that a process of the exchange reads. */
export const environment = z.object({
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
  FIX_PORT: port.default(0),
  FIX_HOST: z.string().min(1).default('127.0.0.1'),
  FIX_COMP_ID: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,40}$/, 'must be 1 to 40 letters, digits, dots, dashes and underscores')
    .default('BOURSE'),
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
      /^(auto|recorded|simulated|live:[a-z0-9]+(,[a-z0-9]+)*|scripted:.+)$/,
      'must be auto, recorded, simulated, live:<exchange>,… or scripted:<file>',
    )
    .refine(namesEachOnce, 'names an exchange twice')
    .optional(),
  MAKER: z.enum(['on', 'off'], 'must be on or off').optional(),
  DEMO_PACE: z.enum(['calm', 'watched', 'always'], 'must be calm, watched or always').optional(),
  RATE_SCALE: z.coerce.number('must be a positive number').positive('must be a positive number').optional(),
  LEDGER_PARTITIONS: partitions,
  SPOT_PARTITIONS: partitions,
  DATA_DIR: z.string().min(1).default('.data'),
  TERMINAL_DIR: z.string().optional(),
  CONSOLE_DIR: z.string().optional(),
  JWT_SECRET: secret.optional(),
  JWT_SECRETS_OLD: list.default([]),
  INTERNAL_SECRET: secret.optional(),
  INTERNAL_SECRETS_OLD: list.default([]),
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
  TICK_KEY_SECRET: secret.optional(),
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
  PUSH_TEST_ORIGIN: url('http:', 'https:').optional(),
  POINTS_URL: url('http:', 'https:').optional(),
  POINTS_SECRET: secret.optional(),
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
  MIGRATE: z.enum(['on', 'off'], 'must be on or off').optional(),
  SHUTDOWN_SERVE_SECONDS: z.coerce
    .number('must be seconds from 0 to 60')
    .min(0, 'must be seconds from 0 to 60')
    .max(60, 'must be seconds from 0 to 60')
    .optional(),
  ACCESS_LOG: z.enum(['on', 'off'], 'must be on or off').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('http:', 'https:').optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a share from 0 to 1')
    .min(0, 'must be a share from 0 to 1')
    .max(1, 'must be a share from 0 to 1')
    .default(1),
  OTEL_SDK_DISABLED: z.enum(['true', 'false'], 'must be true or false').optional(),
});
/** Variables as they were read. */
export type Env = z.output<typeof environment>;
/** Variables that name a file. */
export type FileSetting = 'REDIS_CA_FILE' | 'KAFKA_SSL_CA_FILE' | 'KAFKA_SASL_PASSWORD_FILE';
/** Variables that hold a secret of the install. */
export type SecretName =
  | 'JWT_SECRET'
  | 'INTERNAL_SECRET'
  | 'PASSWORD_PEPPER'
  | 'ANSWER_SECRET'
  | 'WALLET_MIDDLEWARE_SECRET'
  | 'WALLET_KEY_SECRET'
  | 'TICK_KEY_SECRET';
