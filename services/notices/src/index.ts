export { NoticesModule, SERVICE } from './notices.module.js';
/** For `bourse migrate`. */
export { NOTICES_MIGRATIONS as MIGRATIONS } from './adapters/persistence/migrations.js';
