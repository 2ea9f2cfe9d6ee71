export * from './ports.js';
export { CommitUncertain, isTransient, REFUSALS, refusalOf, StreamForked } from './errors.js';
export { ExclusiveLockTaken, PostgresDatabase, PostgresDatabases, type DatabasesOptions } from './databases.js';
export { chainHash, schemaOfStream, streamName, type Emission } from './outbox.js';
export { checkInstall, forgetSecrets, InstallRefused, refusalFor, type InstallFacts } from './install.js';
export { MigrationRefused } from './migrations.js';
export * from './tables.js';
export { migrate } from './migrations.js';
export { loginUrl, MissingRight, newPassword, prepareRoles, ROLE_PREFIX, roleOf } from './roles.js';
export {
  compareStreams,
  isInUse,
  newestRow,
  sendAgain,
  type Comparison,
  type Looks,
  type LostRows,
  type StreamFault,
} from './stream-comparison.js';
export { DatabaseSetBack, readWitness, Witness, type RememberedHeads } from './witness.js';
export { StreamHeads } from './stream-heads.js';
export { AnswerStore } from './answers.js';
export { Timers, type DueTimer, type TimerHandler } from './timers.js';
export * from './columns.js';
