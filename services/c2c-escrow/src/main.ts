import { bootService } from '@bourse/messaging';
import { C2cEscrowModule, SERVICE } from './c2c-escrow.module.js';

void bootService({ name: SERVICE, module: C2cEscrowModule });
