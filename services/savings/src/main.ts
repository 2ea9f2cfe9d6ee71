import { bootService } from '@bourse/messaging';
import { SavingsModule, SERVICE } from './savings.module.js';

void bootService({ name: SERVICE, module: SavingsModule });
