import { bootService } from '@bourse/messaging';
import { MicroSettlementModule, SERVICE } from './micro-settlement.module.js';

void bootService({ name: SERVICE, module: MicroSettlementModule });
