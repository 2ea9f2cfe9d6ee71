export * from './ports.js';
export { InfraModule, instanceName, partitionsOf, type InfraOptions } from './infra.module.js';
export { ReferenceModule, ServiceReference } from './reference.js';
export { InProcessLog } from './in-process-log.js';
export { InProcessAsks, InProcessCounters, InProcessReplies, InProcessViews } from './in-process.js';
export type { LogOptions } from './base-log.js';
export { bootService, closeOnSignal, failStart, type BootOptions, type Closing } from './boot.js';
export { KafkaLog, type KafkaLogOptions } from './kafka-log.js';
