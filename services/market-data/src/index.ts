export { MarketDataModule, SERVICE } from './market-data.module.js';
