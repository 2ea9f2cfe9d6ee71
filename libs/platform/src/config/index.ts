export { Config, type KafkaAccess, type NetworkOverride, type NodeChain } from './config.js';
export type { SecretName } from './environment.js';
export { keptSecret } from './kept-secret.js';
export { ConfigError, loadConfig } from './load-config.js';
export { processLine, startFailure } from './start-failure.js';
