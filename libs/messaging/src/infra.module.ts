import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  Global,
  Inject,
  Injectable,
  Logger,
  Module,
  Optional,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { partitionsOf } from '@bourse/events';
import { Databases, PostgresDatabases } from '@bourse/persistence';
import {
  Alarms,
  Clock,
  Config,
  InternalCalls,
  Metrics,
  Readiness,
  SecurityLog,
  stopTracing,
  SystemClock,
} from '@bourse/platform';
import { READ_VIEW, type StreamsRead } from './audit/audit-loop.js';
import { BaseLog } from './log/base-log.js';
import { ProcessClock } from './clock/process-clock.js';
import { DatabaseClock } from './clock/database-clock.js';
import { installFacts } from './boot/install-facts.js';
import {
  InProcessAsks,
  InProcessCounters,
  InProcessMarks,
  InProcessReplies,
  InProcessViews,
} from './asks/in-process.js';
import { AsksController, HttpAsks } from './asks/http-asks.js';
import { InProcessLog } from './log/in-process-log.js';
import { ForgedRecords } from './seal/forged-records.js';
import { RecordSeal } from './seal/record-seal.js';
import { KafkaLog } from './kafka/kafka-log.js';
import { RedisCounters, RedisLink, RedisMarks, RedisReplies, RedisViews } from './asks/redis.js';
import { AuthorityGauge } from './authority-gauge.js';
import { Asks, Counters, Log, Marks, Replies, Views } from './ports.js';
import { LogTransport } from './transport/log-transport.js';

export interface InfraOptions {
  readonly config: Config;
  /** True: all services in this process. False: one service, with Kafka and Redis. */
  readonly embedded: boolean;
  /** Address of PostgreSQL, if the runner started it itself. */
  readonly databaseUrl?: string;
  /** Whether that PostgreSQL serves only this exchange: each schema gets its own login then. */
  readonly ownsServer?: boolean;
  /** Another clock for tests. */
  readonly clock?: Clock;
  /**
   * Must end the process soon with an exit code other than 0: another process took over the database, the log cannot be
   * read, or the number of partitions differs. By default the process ends at once.
   */
  readonly onFatal?: (reason: string) => void;
}

/** Like an auditor's alarm: while it is raised, no answer promises durability. */
const SET_BACK = 'audit:set-back';

/**
 * Name of this process among all that share the databases: two living processes never share it, and a restarted one has
 * it again, so that it need not wait for its own lease. The embedded exchange is the only process on its database; in
 * the distributed run the name contains host and port, which two processes cannot share.
 */
export function instanceName(config: Pick<Config, 'service' | 'servicePort' | 'port'>, embedded: boolean): string {
  return embedded ? 'exchange' : `${config.service}@${hostname()}:${config.servicePort || config.port || process.pid}`;
}

/** Stops consumers first, while the database is still there, and closes the databases last. */
@Injectable()
class InfraShutdown implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    @Inject(Log) private readonly log: BaseLog,
    @Inject(Databases) private readonly databases: Databases,
    @Inject(Counters) private readonly counters: InProcessCounters | RedisCounters,
    @Inject(Readiness) private readonly readiness: Readiness,
    @Optional() @Inject(RedisLink) private readonly redis?: RedisLink,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.readiness.set('running', false);
    await this.log.close();
  }

  async onApplicationShutdown(): Promise<void> {
    this.counters.close();
    await this.databases.close();
    this.redis?.close();
    await stopTracing();
  }
}

/** Lag of each owner, for dashboards and autoscalers. */
class LagGauge {
  constructor(log: BaseLog, metrics: Metrics) {
    metrics.gauge('bourse_consumer_lag', 'Rows or records that wait for their owner', ['consumer'], (gauge) => {
      gauge.reset();
      for (const [consumer, lag] of log.lags()) gauge.set({ consumer }, lag);
    });
  }
}

/** Connections of this process to its schemas: waiting callers show that the pool, or the database, is too small. */
class PoolGauge {
  constructor(databases: Databases, metrics: Metrics) {
    metrics.gauge(
      'bourse_database_connections',
      'Connections of a schema by state: total, idle; and callers that wait for one',
      ['schema', 'state'],
      (gauge) => {
        if (!(databases instanceof PostgresDatabases)) return;
        for (const { schema, ...counts } of databases.pools())
          for (const [state, count] of Object.entries(counts)) gauge.set({ schema, state }, count);
      },
    );
  }
}

/**
 * The providers that every service can inject: settings, clock, databases, log, replies, views, asks, counters,
 * readiness, alarms, metrics.
 */
@Global()
@Module({})
export class InfraModule {
  static forRoot(options: InfraOptions): DynamicModule {
    const { config } = options;
    const url = options.databaseUrl ?? config.databaseUrl;
    if (!url) throw new Error('DATABASE_URL is not set, and nothing has started a database');
    const logger = new Logger('Infra');
    const fatal =
      options.onFatal ??
      ((reason: string) => {
        logger.fatal(reason);
        process.exit(1);
      });
    const providers: Provider[] = [
      { provide: Config, useValue: config },
      { provide: Clock, useFactory: () => options.clock ?? new SystemClock() },
      Readiness,
      Alarms,
      Metrics,
      SecurityLog,
      { provide: InternalCalls, useFactory: () => new InternalCalls(config.keys) },
      {
        provide: Databases,
        inject: [Alarms],
        useFactory: (alarms: Alarms) =>
          new PostgresDatabases({
            url,
            rolePrefix: config.databaseRolePrefix,
            migrates: config.migrates,
            exclusive: options.embedded,
            // A server that the runner has started is this exchange's alone, and the login its owner's.
            ownLogins: options.embedded && options.ownsServer === true,
            install: installFacts(config),
            witnessFile: join(config.dataDir, `heads-${config.service}.json`),
            onSetBack: (reason) => {
              if (reason === null) alarms.clear(SET_BACK);
              else alarms.raise(SET_BACK, reason);
            },
            onError: (error, what) => logger.error(`${what}: ${(error as Error).message}`),
            onNewer: (schema, migrations) =>
              logger.warn(
                `Schema ${schema} was migrated by a newer version (${migrations.join(', ')}), which this one may ` +
                  'run beside until it is replaced.',
              ),
            onLockLost: () => fatal('Another process has taken the database over; this one ends.'),
          }),
      },
      {
        provide: LagGauge,
        inject: [Log, Metrics],
        useFactory: (log: BaseLog, metrics: Metrics) => new LagGauge(log, metrics),
      },
      {
        provide: PoolGauge,
        inject: [Databases, Metrics],
        useFactory: (databases: Databases, metrics: Metrics) => new PoolGauge(databases, metrics),
      },
      {
        provide: AuthorityGauge,
        inject: [Config, Metrics],
        useFactory: (own: Config, metrics: Metrics) => new AuthorityGauge(own, metrics),
      },
      ...(options.embedded ? embeddedProviders(config, fatal) : distributedProviders(config, fatal)),
    ];
    return {
      module: InfraModule,
      controllers: options.embedded ? [] : [AsksController],
      providers: [...providers, LogTransport, InfraShutdown, ProcessClock, DatabaseClock],
      exports: [
        Config,
        Clock,
        Readiness,
        Alarms,
        Metrics,
        SecurityLog,
        InternalCalls,
        Databases,
        Log,
        Replies,
        Views,
        Asks,
        Counters,
        LogTransport,
        Marks,
        ProcessClock,
      ],
    };
  }
}

function embeddedProviders(config: Config, fatal: (reason: string) => void): Provider[] {
  const instance = instanceName(config, true);
  return [
    {
      provide: Log,
      inject: [Alarms, Databases],
      useFactory: (alarms: Alarms, databases: Databases) =>
        new InProcessLog({ instance, partitions: partitionsOf(config), alarms, onFatal: fatal }, databases),
    },
    { provide: Replies, useFactory: () => new InProcessReplies(instance) },
    { provide: Views, useFactory: () => new InProcessViews() },
    { provide: Asks, useFactory: () => new InProcessAsks() },
    { provide: Counters, useFactory: () => new InProcessCounters() },
    { provide: Marks, useFactory: () => new InProcessMarks() },
  ];
}

function distributedProviders(config: Config, fatal: (reason: string) => void): Provider[] {
  const instance = instanceName(config, false);
  const { redisUrl } = config;
  if (redisUrl === null || config.kafkaBrokers.length === 0)
    throw new Error('REDIS_URL and KAFKA_BROKERS must be set for the distributed run');
  return [
    {
      provide: RedisLink,
      inject: [Readiness],
      useFactory: (readiness: Readiness) =>
        new RedisLink({ url: redisUrl, ca: config.redisCa }, (ready) => readiness.set('redis', ready)),
    },
    {
      provide: Log,
      inject: [Alarms, Databases, Readiness, Metrics, RedisLink, SecurityLog, Views],
      useFactory: (
        alarms: Alarms,
        databases: Databases,
        readiness: Readiness,
        metrics: Metrics,
        link: RedisLink,
        security: SecurityLog,
        views: Views,
      ) => {
        const forged = new ForgedRecords(alarms, security);
        const log = new KafkaLog(
          {
            instance,
            partitions: partitionsOf(config),
            alarms,
            brokers: config.kafkaBrokers,
            access: config.kafkaAccess,
            seal: new RecordSeal(config.keys),
            onForged: (topic, what) => forged.found(topic, what),
            onFatal: fatal,
            onReady: (ready) => readiness.set('kafka', ready),
            wake: link.wake,
          },
          databases,
        );
        views.subscribe(READ_VIEW, (read: StreamsRead) => log.noteRead(read));
        metrics.gauge(
          'bourse_relay_backlog',
          'Committed rows that the broker has not acknowledged',
          ['schema'],
          (gauge) => {
            for (const [schema, rows] of log.backlog()) gauge.set({ schema }, rows);
          },
        );
        return log;
      },
    },
    { provide: Replies, inject: [RedisLink], useFactory: (link: RedisLink) => new RedisReplies(instance, link) },
    { provide: Views, inject: [RedisLink], useFactory: (link: RedisLink) => new RedisViews(link) },
    {
      provide: Asks,
      inject: [Clock, InternalCalls, SecurityLog],
      useFactory: (clock: Clock, calls: InternalCalls, security: SecurityLog) =>
        new HttpAsks(config, clock, calls, security),
    },
    { provide: Counters, inject: [RedisLink], useFactory: (link: RedisLink) => new RedisCounters(link) },
    { provide: Marks, inject: [RedisLink], useFactory: (link: RedisLink) => new RedisMarks(link) },
  ];
}
