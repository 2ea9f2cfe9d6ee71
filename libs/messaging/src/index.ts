export * from './ports.js';
export { InfraModule, instanceName, partitionsOf, type InfraOptions } from './infra.module.js';
export { ReferenceModule, ServiceReference } from './reference.js';
export { installFacts } from './install-facts.js';
export { InProcessLog } from './in-process-log.js';
export { InProcessAsks, InProcessCounters, InProcessReplies, InProcessViews } from './in-process.js';
export { delay, type LogOptions } from './base-log.js';
export { LEASE_MS, LeaseKeeper } from './ownership.js';
export {
  bootService,
  checkPort,
  checkStart,
  closeApp,
  closeOnSignal,
  failStart,
  StartRefused,
  watchConnections,
  type BootOptions,
  type Closing,
} from './boot.js';
export { kafkaAddress } from './kafka-address.js';
export { ForgedRecords } from './forged-records.js';
export { RecordSeal, type Author } from './record-seal.js';
export { KafkaLog, type KafkaLogOptions } from './kafka-log.js';
export { emptyTopics, logHeads, type LogAddress } from './restored-log.js';
export { redisSettings, RedisCounters, RedisLink, RedisReplies, RedisViews, type RedisAddress } from './redis.js';
export { HttpAsks } from './http-asks.js';
export {
  AuditLoop,
  AuditPace,
  digestsOf,
  flowOf,
  HOLD_BUCKET,
  type AuditCheck,
  type AuditFlow,
  type AuditView,
} from './audit-loop.js';
