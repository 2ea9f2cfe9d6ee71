export { LeverRiskModule, SERVICE } from './lever-risk.module.js';
/** For `bourse migrate`. */
export { MIGRATIONS } from './adapters/persistence/migrations.js';
