import { bootService } from '@bourse/messaging';
import { LeverRiskModule, SERVICE } from './lever-risk.module.js';

void bootService({ name: SERVICE, module: LeverRiskModule });
