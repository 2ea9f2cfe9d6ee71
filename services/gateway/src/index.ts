export { GatewayModule } from './gateway.module.js';
export const SERVICE = 'gateway';
