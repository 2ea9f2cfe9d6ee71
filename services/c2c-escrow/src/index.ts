export { C2cEscrowModule, SERVICE } from './c2c-escrow.module.js';
/** For `bourse migrate`. */
export { MIGRATIONS } from './migrations.js';
