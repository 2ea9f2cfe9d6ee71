export { GatewayModule } from './gateway.module.js';
export const SERVICE = 'gateway';
/** For `bourse migrate`. */
export { MIGRATIONS } from './adapters/persistence/gateway-database.js';
