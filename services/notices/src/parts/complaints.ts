import { ComplaintsAdminController } from '../adapters/http/complaints-admin.controller.js';
import { ComplaintsController } from '../adapters/http/complaints.controller.js';
import { COMPLAINT_MIGRATIONS } from '../adapters/persistence/complaint-migrations.js';
import { PostgresComplaints } from '../adapters/persistence/postgres-complaints.js';
import { ComplaintAdmin } from '../application/complaint-admin.js';
import { ComplaintStore } from '../application/complaint-ports.js';
import { COMPLAINT_SETTINGS } from '../application/complaint-settings.js';
import { ComplaintViews } from '../application/complaint-views.js';
import { Complaints } from '../application/complaints.js';
import type { NoticesPart } from './part.js';

/** Complaints of people and the answers of support (api §2.10). */
export const COMPLAINTS: NoticesPart = {
  controllers: [ComplaintsController, ComplaintsAdminController],
  providers: [{ provide: ComplaintStore, useClass: PostgresComplaints }, ComplaintViews, Complaints, ComplaintAdmin],
  migrations: COMPLAINT_MIGRATIONS,
  entities: [],
  settings: COMPLAINT_SETTINGS,
  rules: [],
  work: [ComplaintAdmin],
};
