import 'reflect-metadata';
import { bootService } from '@bourse/messaging';
import { GatewayModule, SERVICE } from './index.js';

void bootService({ name: SERVICE, module: GatewayModule });
