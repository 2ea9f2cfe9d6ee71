export { MicroSettlementModule, SERVICE } from './micro-settlement.module.js';
/** For `bourse migrate`. */
export { MIGRATIONS } from './migrations.js';
