import { bootService } from '@bourse/messaging';
import { MarketDataModule, SERVICE } from './market-data.module.js';

void bootService({ name: SERVICE, module: MarketDataModule });
