import { NoticeAdminController } from '../adapters/http/notice-admin.controller.js';
import { NoticesController } from '../adapters/http/notices.controller.js';
import { UserNoticesController } from '../adapters/messaging/user-notices.controller.js';
import { NoticeAudit } from '../adapters/persistence/notice-audit.js';
import { NOTICE_MIGRATIONS } from '../adapters/persistence/notice-migrations.js';
import { PostgresNotices } from '../adapters/persistence/postgres-notices.js';
import { NoticeAdmin } from '../application/notice-admin.js';
import { NoticeInbox } from '../application/notice-inbox.js';
import { NoticeStore } from '../application/notice-ports.js';
import { NoticeReaders } from '../application/notice-readers.js';
import { NOTICE_SETTINGS } from '../application/notice-settings.js';
import { NoticeUpkeep } from '../application/notice-upkeep.js';
import { NoticeWriter } from '../application/notice-writer.js';
import { DemoNotices } from '../seed/demo-notices.js';
import type { NoticesPart } from './part.js';

/** Personal notices (api §2.10). */
export const NOTICES: NoticesPart = {
  controllers: [NoticesController, NoticeAdminController, UserNoticesController],
  providers: [
    { provide: NoticeStore, useClass: PostgresNotices },
    NoticeReaders,
    NoticeWriter,
    NoticeInbox,
    NoticeAdmin,
    NoticeUpkeep,
    NoticeAudit,
    DemoNotices,
  ],
  migrations: NOTICE_MIGRATIONS,
  entities: [],
  settings: NOTICE_SETTINGS,
  rules: [],
  audit: [NoticeAudit],
};
