export { AuthModule, SERVICE } from './auth.module.js';
/** For `bourse migrate`. */
export { AUTH_MIGRATIONS as MIGRATIONS } from './shared/persistence/migrations.js';
