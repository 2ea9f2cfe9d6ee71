export { Config, type KafkaAccess, type NetworkOverride, type NodeChain } from './config/config.js';
export type { SecretName } from './config/environment.js';
export { keptSecret } from './config/kept-secret.js';
export { ConfigError, loadConfig } from './config/load-config.js';
export { processLine, startFailure } from './config/start-failure.js';
