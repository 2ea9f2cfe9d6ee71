import pg from 'pg';
import { DataSource } from 'typeorm';
import { SettingValueEntity } from '../entities/setting-value.entity.js';
import { SnakeCaseNames } from '../entities/snake-case-names.js';
import { roleOf } from '../migrations/roles.js';
import type { DatabaseSpec } from '../ports.js';
import { BY_KEY, GENERIC_PLANS, PAGE_COSTS } from '../transactions/plans.js';

const POOL_MAX = 4;

/** The pools of one schema. Readers and auditors need joins that the plans of single writers may not use. */
export interface Pools {
  /** The pool that TypeORM made: transactions and single statements. */
  readonly shared: pg.Pool;
  /** Connections of the single writers: their plans go by keys (`BY_KEY`) and are made once (`GENERIC_PLANS`). */
  readonly writers: pg.Pool;
}

export interface PoolsOptions {
  readonly url: string;
  readonly rolePrefix?: string;
  /** Called with each new connection before anything is done on it. */
  readonly onConnect: (client: pg.ClientBase) => Promise<void>;
  /** An idle connection was lost. */
  readonly onLost: (error: unknown) => void;
}

/** Opens the data source and the pools of one schema, all connected as the schema's role. */
export async function openPools(
  spec: DatabaseSpec,
  { url, rolePrefix, onConnect, onLost }: PoolsOptions,
): Promise<{ source: DataSource; pools: Pools }> {
  // The role comes with the connection, so no transaction can forget it and none pays a round trip for it
  // (docs/decisions).
  const options =
    `-c role=${roleOf(spec.schema, rolePrefix)} -c search_path=${spec.schema},public -c ` +
    `statement_timeout=3000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=5000 -c ${PAGE_COSTS}`;
  const pooling = {
    max: spec.poolMax ?? POOL_MAX,
    idleTimeoutMillis: 4_000,
    // Longer than a start with many open orders keeps the process busy, since its timers run before its sockets.
    connectionTimeoutMillis: 10_000,
    // Statements that do not wait for one another share a round trip: `Promise.all` over a transaction's statements.
    pipeline: true,
    onConnect,
  };
  // TypeORM makes one pool of these options; single statements and the gauges of the pool use the same one.
  let shared: pg.Pool | undefined;
  class SharedPool extends pg.Pool {
    constructor(config: pg.PoolConfig) {
      super(config);
      // oxlint-disable-next-line typescript/no-this-alias -- the only way to the pool that TypeORM makes
      shared = this;
    }
  }
  const source = new DataSource({
    type: 'postgres',
    driver: { ...pg, Pool: SharedPool },
    url,
    schema: spec.schema,
    // Beside its own, each schema has the settings of its service.
    entities: [SettingValueEntity, ...(spec.entities ?? [])],
    namingStrategy: new SnakeCaseNames(),
    synchronize: false,
    logging: false,
    installExtensions: false,
    applicationName: `bourse ${spec.schema}`,
    extra: { ...pooling, options },
    poolErrorHandler: onLost,
  });
  await source.initialize();
  if (!shared) throw new Error('invariant: TypeORM has made no pool');
  const writers = new pg.Pool({
    ...pooling,
    connectionString: url,
    application_name: `bourse ${spec.schema} by key`,
    options: `${options} ${BY_KEY.map((setting) => `-c ${setting}=off`).join(' ')} -c ${GENERIC_PLANS}`,
  });
  writers.on('error', onLost);
  return { source, pools: { shared, writers } };
}
