import { SecondPerson } from '@bourse/messaging';
import type { Part } from '@bourse/settings';
import { AppealsAdminController } from '../adapters/http/appeals-admin.controller.js';
import { AppealsController } from '../adapters/http/appeals.controller.js';
import { ChatController } from '../adapters/http/chat.controller.js';
import { TranscriptController } from '../adapters/http/transcript.controller.js';
import { AppealAudit } from '../adapters/persistence/appeal-audit.js';
import { APPEAL_MIGRATIONS } from '../adapters/persistence/appeal-migrations.js';
import { PostgresAppeals } from '../adapters/persistence/postgres-appeals.js';
import { PostgresChats } from '../adapters/persistence/postgres-chats.js';
import { PostgresTranscriptKeys } from '../adapters/persistence/postgres-transcript-keys.js';
import { AppealDecisions } from '../application/appeal-decisions.js';
import { AppealDesk } from '../application/appeal-desk.js';
import { AppealFiles } from '../application/appeal-files.js';
import { AppealStore, ChatStore, TranscriptKeys } from '../application/appeal-ports.js';
import { APPEAL_SETTINGS } from '../application/appeal-settings.js';
import { AppealTrail } from '../application/appeal-trail.js';
import { AppealViews } from '../application/appeal-views.js';
import { AppealWatch } from '../application/appeal-watch.js';
import { Appeals } from '../application/appeals.js';
import { ChatDesk } from '../application/chat-desk.js';
import { ChatLog } from '../application/chat-log.js';
import { DealChat, UnreadLines } from '../application/deal-chat.js';
import { ChatUnread, DealLog, SellerSilence } from '../application/deal-log.js';
import { LateAppeals } from '../application/late-appeals.js';
import { Silence, SilentSellers } from '../application/silence.js';
import { TranscriptKey } from '../application/transcript-key.js';
import { Transcripts } from '../application/transcripts.js';

/** Chats of deals, and appeals. */
export const APPEALS: Part = {
  controllers: [ChatController, AppealsController, AppealsAdminController, TranscriptController],
  providers: [
    { provide: ChatStore, useClass: PostgresChats },
    { provide: AppealStore, useClass: PostgresAppeals },
    { provide: TranscriptKeys, useClass: PostgresTranscriptKeys },
    { provide: DealLog, useClass: DealChat },
    { provide: SellerSilence, useClass: Silence },
    { provide: ChatUnread, useClass: UnreadLines },
    ...[ChatLog, ChatDesk, AppealViews, AppealWatch, AppealFiles, AppealTrail],
    ...[Appeals, LateAppeals, SilentSellers, AppealDesk, AppealDecisions],
    ...[SecondPerson, AppealAudit, TranscriptKey, Transcripts],
  ],
  migrations: APPEAL_MIGRATIONS,
  settings: APPEAL_SETTINGS,
  rules: [],
  audit: [AppealAudit],
  work: [AppealWatch],
};
