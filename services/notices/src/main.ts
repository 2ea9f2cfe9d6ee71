import 'reflect-metadata';
import { bootService } from '@bourse/messaging';
import { NoticesModule, SERVICE } from './notices.module.js';

void bootService({ name: SERVICE, module: NoticesModule });
