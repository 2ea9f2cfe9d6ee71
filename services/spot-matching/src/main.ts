import { bootService } from '@bourse/messaging';
import { SERVICE, SpotMatchingModule } from './spot-matching.module.js';

void bootService({ name: SERVICE, module: SpotMatchingModule });
