import { PushController } from '../adapters/http/push.controller.js';
import { PUSH_MIGRATIONS } from '../adapters/persistence/push-migrations.js';
import { PostgresPushes } from '../adapters/persistence/postgres-pushes.js';
import { HttpsPushService } from '../adapters/push/https-push-service.js';
import { PushAlerts } from '../application/push-alerts.js';
import { PushDevices } from '../application/push-devices.js';
import { PushKey } from '../application/push-key.js';
import { PushService, PushStore } from '../application/push-ports.js';
import { PushQueue } from '../application/push-queue.js';
import { PushSender } from '../application/push-sender.js';
import type { NoticesPart } from './part.js';

/** Push messages to devices (api §2.10). */
export const PUSH: NoticesPart = {
  controllers: [PushController],
  providers: [
    { provide: PushStore, useClass: PostgresPushes },
    { provide: PushService, useClass: HttpsPushService },
    PushKey,
    PushDevices,
    PushQueue,
    PushSender,
    PushAlerts,
  ],
  migrations: PUSH_MIGRATIONS,
  entities: [],
  settings: [],
  rules: [],
  audit: [],
};
