export * from './ports.js';
export { CommitUncertain, isTransient, REFUSALS, refusalOf, StreamForked } from './errors.js';
export { PostgresDatabases, type DatabasesOptions } from './databases.js';
export { ExclusiveLockTaken } from './postgres/exclusive-lock.js';
export { PostgresDatabase } from './postgres/postgres-database.js';
export { chainHash, schemaOfStream, streamName, type Emission } from './outbox/outbox.js';
export { checkInstall, forgetSecrets, InstallRefused, refusalFor, type InstallFacts } from './migrations/install.js';
export { MigrationRefused } from './migrations/migrations.js';
export * from './tables/tables.js';
export * from './tables/saga-table.js';
export { migrate, planMigrations, type MigrationPlan } from './migrations/migrations.js';
export { ServerTooOld } from './migrations/server-version.js';
export { loginUrl, MissingRight, newPassword, prepareRoles, ROLE_PREFIX, roleOf } from './migrations/roles.js';
export {
  compareStreams,
  keepHeads,
  keptHeads,
  newestRow,
  sendAgain,
  SHARED_LEASE_MS_MAX,
  signOfUse,
  becomeAnotherInstall,
  type Comparison,
  type SqlReader,
  type LostRows,
  type StreamFault,
} from './outbox/stream-comparison.js';
export { DatabaseSetBack, readWitness, Witness, type RememberedHeads } from './outbox/witness.js';
export { StreamHeads } from './outbox/stream-heads.js';
export { Conditions, readPage, type ListQuery } from './tables/lists.js';
export { readPieces, type Piece } from './tables/pieces.js';
export { batched } from './tables/batched.js';
export { AnswerStore, isFinal, REFUSED_ANSWER_DAYS } from './tables/answers.js';
export { Timers, type DueTimer, type TimerHandler, type TimersHandler } from './tables/timers.js';
export * from './columns.js';
export { PAGE_COSTS } from './transactions/plans.js';
export { insertMissing } from './entities/insert-missing.js';
export { SettingValueEntity } from './entities/setting-value.entity.js';
export { instant, safeInteger } from './entities/transformers.js';
