import { resolve } from 'node:path';
import type { AuthorityFile } from '../security/authorities.js';
import type { DataKey } from '../security/data-seal.js';
import { RETENTION_DEFAULT_DAYS, type Retained } from './retention.js';
import type { SecretCheck } from '../security/secrets.js';
import type { ServiceKeys } from '../security/service-keys.js';
import { EDGE_SERVICE } from './services.js';
import type { Env, FileSetting, SecretName } from './environment.js';

/**
 * Settings of a network that an install may override, such as the token of a test chain or the number of confirmations.
 */
export interface NetworkOverride {
  readonly contract_address?: string | undefined;
  readonly confirmations?: number | undefined;
}
/** How a process shows itself to Kafka, and knows the broker. */
export interface KafkaAccess {
  /** TLS to the broker. */
  readonly ssl: boolean;
  /** Certificates of the authorities for the broker, read for each connection; null: those of the system. */
  readonly ca: AuthorityFile | null;
  readonly sasl: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  } | null;
}
/** Chains that a node can be configured for. */
export type NodeChain = 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum';

/** The default port of a production edge's metrics. */
const METRICS_PORT = 9464;

/**
 * Seconds for which a production process keeps serving after its signal to end: as long as a balancer takes to notice.
 */
const SHUTDOWN_SERVE_SECONDS = 5;

/** The settings of this process, read once. No other code reads the environment. */
export class Config {
  /** A demo install: `/dev/*`, demo people, generated secrets. */
  readonly dev: boolean;
  /** Whether other machines may use a demo install and its `/dev` calls, under the names of `PUBLIC_ORIGINS`. */
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
  /** Port of the FIX gateway that an exchange in one process starts; 0: none. */
  readonly fixPort: number;
  readonly fixHost: string;
  /** CompID of the exchange in sessions of FIX. */
  readonly fixCompId: string;
  readonly servicePort: number;
  /** Base address of each service, distributed run only. */
  readonly services: Readonly<Record<string, string>>;
  /** Null: the embedded run starts its own PostgreSQL. */
  readonly databaseUrl: string | null;
  /** Before the name of a schema, its role in the database: roles are global to a server. */
  readonly databaseRolePrefix: string;
  /** Whether this process brings its schemas to their shape itself; else `bourse migrate --apply` has done it. */
  readonly migrates: boolean;
  /** Ms for which a process that got its signal to end still serves, not ready, until no new requests arrive. */
  readonly lingerMs: number;
  readonly redisUrl: string | null;
  /**
   * Certificates of the authorities for a Redis of `rediss://`, read for each connection; null: those of the system.
   */
  readonly redisCa: AuthorityFile | null;
  readonly kafkaBrokers: readonly string[];
  readonly kafkaAccess: KafkaAccess;
  readonly marketDataDir: string | null;
  /** Source of the index prices; on a production install always `live:<exchange>,…`. */
  readonly priceFeed: string;
  /** Whether the house quotes: on a demo install unless `MAKER=off`, on a production install only with `MAKER=on`. */
  readonly maker: boolean;
  /** Whether a second house account takes from the quotes, so that a demo is alive: never on a production install. */
  readonly taker: boolean;
  /**
   * When the market of a demo install is lively: never (`calm`), while a client is connected (`watched`), or `always`.
   * Every order is stored for ever, so `always` fills a disk.
   */
  readonly demoPace: 'calm' | 'watched' | 'always';
  /** Multiplies every rate of api §1.7. */
  readonly rateScale: number;
  readonly ledgerPartitions: number;
  /** How many owners the pairs may be shared out among. */
  readonly spotPartitions: number;
  readonly dataDir: string;
  /** Folder of the built terminal; null: the one of this workspace. */
  readonly terminalDir: string | null;
  /** Folder of the built console; null: the one of this workspace. */
  readonly consoleDir: string | null;
  // In the distributed run a secret that is not the service's own is empty (`SECRET_OWNERS`).
  readonly jwtSecret: string;
  /** Previous secrets: tokens under them are still valid. */
  readonly jwtSecretsOld: readonly string[];
  readonly internalSecret: string;
  /** Previous secrets, used in place of a data key: rows sealed under them are opened, and sealed under the new one. */
  readonly internalSecretsOld: readonly string[];
  readonly passwordPepper: string;
  /** Previous peppers: passwords hashed under them are accepted, and hashed under the new one at the next sign-in. */
  readonly passwordPeppersOld: readonly string[];
  /** The keys that personal data is sealed under, newest first; empty: a secret of the service is used instead. */
  readonly dataKeys: readonly DataKey[];
  /** Retention times in days, each with its default. */
  readonly retentionDays: Readonly<Record<Retained, number>>;
  readonly answerSecret: string;
  readonly walletMiddlewareSecret: string;
  /** The secret that encrypts the seed of all wallets. */
  readonly walletKeySecret: string;
  /** Secrets that it replaces: they open the seed once more, nothing is sealed under them. */
  readonly walletKeySecretsOld: readonly string[];
  /** The secret that encrypts the key that signs the recorded prices. */
  readonly tickKeySecret: string;
  /** Addresses of the nodes, by chain. A chain without one is simulated on a demo install and absent otherwise. */
  readonly chainUrls: Readonly<Partial<Record<NodeChain, string>>>;
  /** Number of the EVM chain (EIP-155). */
  readonly ethereumChainId: number;
  /** By network id. */
  readonly networkOverrides: Readonly<Record<string, NetworkOverride>>;
  /** The cold addresses to which hot wallets send what exceeds their ceiling, by chain name. */
  readonly coldAddresses: Readonly<Record<string, string>>;
  /** The most that a hot wallet keeps, decimal amount by network id. */
  readonly hotCeilings: Readonly<Record<string, string>>;
  readonly smtpUrl: string | null;
  readonly smtpFrom: string;
  readonly smsUrl: string | null;
  /** Origin of the push service of tests, without its port; on a demo install only, and it need not be public. */
  readonly pushTestOrigin: string | null;
  /** The third party of points, and the secret that signs our requests to it; null: this install has none. */
  readonly pointsProgram: { readonly url: string; readonly secret: string } | null;
  /** Addresses and networks whose forwarded client addresses are trusted; see `trustOf`. */
  readonly trustedProxies: readonly string[];
  /** Origins under which people open the exchange. */
  readonly publicOrigins: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Port of the edge for metrics and details of health; 0: none, this machine gets them on the main port. */
  readonly metricsPort: number;
  readonly metricsHost: string;
  readonly supportUrl: string;
  readonly logLevel: string;
  /** Whether spans are recorded: a receiver for them is named (`OTEL_EXPORTER_OTLP_ENDPOINT`). */
  readonly traces: boolean;
  /** Share of the calls that are traced, 0 to 1. */
  readonly traceShare: number;
  /** Whether each call leaves a line in the log; on a production install unless `ACCESS_LOG=off`. */
  readonly accessLog: boolean;

  /**
   * The keys by which this service authenticates itself to the others. @throws Error where none are set and none are
   * made: the embedded run of production.
   */
  readonly keys: () => ServiceKeys;
  /** The check values of this process's secrets, by name. */
  readonly secretChecks: Readonly<Record<string, SecretCheck>>;

  constructor(
    env: Env,
    secretOf: (name: SecretName) => string,
    files: {
      readonly textOf: (name: FileSetting) => string | null;
      readonly authoritiesOf: (name: FileSetting) => AuthorityFile | null;
    },
    keysOf: () => ServiceKeys,
    checksOf: (
      used: Readonly<Record<SecretName, string>>,
      dataKeys: readonly DataKey[],
    ) => Readonly<Record<string, SecretCheck>>,
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
    this.fixPort = env.FIX_PORT;
    this.fixHost = env.FIX_HOST;
    this.fixCompId = env.FIX_COMP_ID;
    this.servicePort = env.BOURSE_SERVICE_PORT;
    this.services = env.BOURSE_SERVICES;
    this.databaseUrl = env.DATABASE_URL ?? null;
    this.databaseRolePrefix = env.DATABASE_ROLE_PREFIX;
    this.migrates = (env.MIGRATE ?? 'on') === 'on';
    this.lingerMs = (env.SHUTDOWN_SERVE_SECONDS ?? (this.dev ? 0 : SHUTDOWN_SERVE_SECONDS)) * 1_000;
    this.redisUrl = env.REDIS_URL ?? null;
    this.redisCa = files.authoritiesOf('REDIS_CA_FILE');
    this.kafkaBrokers = env.KAFKA_BROKERS;
    this.kafkaAccess = {
      ssl: env.KAFKA_SSL,
      ca: files.authoritiesOf('KAFKA_SSL_CA_FILE'),
      sasl:
        env.KAFKA_SASL_MECHANISM === undefined
          ? null
          : {
              mechanism: env.KAFKA_SASL_MECHANISM,
              username: env.KAFKA_SASL_USERNAME ?? '',
              password: env.KAFKA_SASL_PASSWORD ?? files.textOf('KAFKA_SASL_PASSWORD_FILE')?.trim() ?? '',
            },
    };
    this.marketDataDir = env.MARKET_DATA_DIR ? resolve(env.MARKET_DATA_DIR) : null;
    this.priceFeed = env.PRICE_FEED ?? 'auto';
    this.maker = (env.MAKER ?? (this.dev ? 'on' : 'off')) === 'on';
    this.taker = this.dev && this.maker;
    this.demoPace = env.DEMO_PACE ?? 'watched';
    this.rateScale = env.RATE_SCALE ?? (this.dev ? 100 : 1);
    this.ledgerPartitions = env.LEDGER_PARTITIONS;
    this.spotPartitions = env.SPOT_PARTITIONS;
    this.dataDir = resolve(env.DATA_DIR);
    this.terminalDir = env.TERMINAL_DIR ? resolve(env.TERMINAL_DIR) : null;
    this.consoleDir = env.CONSOLE_DIR ? resolve(env.CONSOLE_DIR) : null;
    this.jwtSecret = secretOf('JWT_SECRET');
    this.jwtSecretsOld = this.jwtSecret === '' ? [] : env.JWT_SECRETS_OLD;
    this.internalSecret = secretOf('INTERNAL_SECRET');
    this.internalSecretsOld = this.internalSecret === '' ? [] : env.INTERNAL_SECRETS_OLD;
    this.passwordPepper = secretOf('PASSWORD_PEPPER');
    this.passwordPeppersOld = this.passwordPepper === '' ? [] : env.PASSWORD_PEPPERS_OLD;
    this.dataKeys = env.DATA_KEYS;
    this.retentionDays = { ...RETENTION_DEFAULT_DAYS, ...env.RETENTION_DAYS };
    this.answerSecret = secretOf('ANSWER_SECRET');
    this.walletMiddlewareSecret = secretOf('WALLET_MIDDLEWARE_SECRET');
    this.walletKeySecret = secretOf('WALLET_KEY_SECRET');
    this.walletKeySecretsOld = this.walletKeySecret === '' ? [] : env.WALLET_KEY_SECRET_OLD;
    this.tickKeySecret = secretOf('TICK_KEY_SECRET');
    let keys: ServiceKeys | undefined;
    this.keys = () => (keys ??= keysOf());
    this.secretChecks = checksOf(
      {
        JWT_SECRET: this.jwtSecret,
        INTERNAL_SECRET: this.internalSecret,
        PASSWORD_PEPPER: this.passwordPepper,
        ANSWER_SECRET: this.answerSecret,
        WALLET_MIDDLEWARE_SECRET: this.walletMiddlewareSecret,
        WALLET_KEY_SECRET: this.walletKeySecret,
        TICK_KEY_SECRET: this.tickKeySecret,
      },
      this.dataKeys,
    );
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
    this.pushTestOrigin = this.dev ? (env.PUSH_TEST_ORIGIN ?? null) : null;
    this.pointsProgram =
      env.POINTS_URL !== undefined && env.POINTS_SECRET !== undefined
        ? { url: env.POINTS_URL, secret: env.POINTS_SECRET }
        : null;
    this.trustedProxies = env.TRUSTED_PROXIES;
    this.publicOrigins = env.PUBLIC_ORIGINS;
    this.corsOrigins = env.CORS_ORIGINS;
    this.metricsPort = env.METRICS_PORT ?? (this.dev ? 0 : METRICS_PORT);
    this.metricsHost = env.METRICS_HOST;
    this.supportUrl = env.SUPPORT_URL;
    this.logLevel = env.LOG_LEVEL;
    this.traces =
      (env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined) &&
      env.OTEL_SDK_DISABLED !== 'true';
    this.traceShare = env.OTEL_TRACES_SAMPLER_ARG;
    this.accessLog = (env.ACCESS_LOG ?? (this.dev ? 'off' : 'on')) === 'on';
  }
}
