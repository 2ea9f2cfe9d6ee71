export { SavingsModule, SERVICE } from './savings.module.js';
/** For `bourse migrate`. */
export { MIGRATIONS } from './adapters/persistence/migrations.js';
