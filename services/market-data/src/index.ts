export { MarketDataModule, SERVICE } from './market-data.module.js';
/** For `bourse migrate`. */
export { MIGRATIONS } from './adapters/persistence/migrations.js';
