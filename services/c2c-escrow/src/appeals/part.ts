import { SecondPerson } from '@bourse/messaging';
import type { Part } from '@bourse/settings';
import { AppealAdminController } from './http/admin.controller.js';
import { AppealsController } from './http/appeals.controller.js';
import { TranscriptController } from './http/transcript.controller.js';
import { AppealAudit } from './persistence/audit.js';
import { APPEAL_MIGRATIONS } from './persistence/migrations.js';
import { PostgresAppeals } from './persistence/postgres-appeals.js';
import { PostgresTranscriptKeys } from './persistence/postgres-transcript-keys.js';
import { AppealDecisions } from './application/decisions.js';
import { AppealAdmin } from './application/admin.js';
import { AppealFinder } from './application/appeal-finder.js';
import { AppealRecorder } from './application/appeal-recorder.js';
import { AppealStore, TranscriptKeys } from './application/ports.js';
import { APPEAL_SETTINGS } from './application/settings.js';
import { AppealTrail } from './application/audit-trail.js';
import { AppealViews } from './application/views.js';
import { AppealDueTimers } from './application/due-timers.js';
import { Appeals } from './application/appeals.js';
import { SellerResponseTimeout } from '../deals/application/hooks.js';
import { LateAppeals } from './application/late-appeals.js';
import { SellerResponseTimers, AutoAppeals } from './application/auto-appeals.js';
import { TranscriptKey } from './application/transcript-key.js';
import { Transcripts } from './application/transcripts.js';

/** Appeals against deals, and transcripts of deals. */
export const APPEALS: Part = {
  controllers: [AppealsController, AppealAdminController, TranscriptController],
  providers: [
    { provide: AppealStore, useClass: PostgresAppeals },
    { provide: TranscriptKeys, useClass: PostgresTranscriptKeys },
    { provide: SellerResponseTimeout, useClass: SellerResponseTimers },
    ...[AppealViews, AppealDueTimers, AppealRecorder, AppealTrail],
    ...[Appeals, LateAppeals, AutoAppeals, AppealAdmin, AppealDecisions],
    ...[SecondPerson, AppealAudit, AppealFinder, TranscriptKey, Transcripts],
  ],
  migrations: APPEAL_MIGRATIONS,
  settings: APPEAL_SETTINGS,
  rules: [],
  audit: [AppealAudit],
  find: [AppealFinder],
  work: [AppealDueTimers],
};
