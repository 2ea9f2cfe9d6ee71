import { bootService } from '@bourse/messaging';
import { PointsModule, SERVICE } from './points.module.js';

void bootService({ name: SERVICE, module: PointsModule });
