export { GatewayModule } from './gateway.module.js';
export const SERVICE = 'gateway';
/** For `bourse migrate`. */
export { MIGRATIONS } from './shared/persistence/gateway-database.js';
