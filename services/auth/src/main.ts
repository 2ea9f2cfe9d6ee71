import 'reflect-metadata';
import { bootService } from '@bourse/messaging';
import { AuthModule, SERVICE } from './auth.module.js';

void bootService({ name: SERVICE, module: AuthModule });
