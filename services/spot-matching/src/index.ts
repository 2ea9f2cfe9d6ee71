export { SERVICE, SpotMatchingModule } from './spot-matching.module.js';
/** For `bourse migrate`. */
export { MIGRATIONS } from './adapters/persistence/migrations.js';
