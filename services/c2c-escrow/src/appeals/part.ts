import { SecondPerson } from '@bourse/messaging';
import type { Part } from '@bourse/settings';
import { AppealsAdminController } from './http/admin.controller.js';
import { AppealsController } from './http/appeals.controller.js';
import { ChatController } from '../chat/http/chat.controller.js';
import { TranscriptController } from './http/transcript.controller.js';
import { AppealAudit } from './persistence/audit.js';
import { APPEAL_MIGRATIONS } from './persistence/migrations.js';
import { PostgresAppeals } from './persistence/postgres-appeals.js';
import { PostgresChats } from '../chat/persistence/postgres-chats.js';
import { PostgresTranscriptKeys } from './persistence/postgres-transcript-keys.js';
import { AppealDecisions } from './application/decisions.js';
import { AppealDesk } from './application/admin.js';
import { AppealFiles } from './application/appeal-files.js';
import { AppealStore, ChatStore, TranscriptKeys } from './application/ports.js';
import { APPEAL_SETTINGS } from './application/settings.js';
import { AppealTrail } from './application/trail.js';
import { AppealViews } from './application/views.js';
import { AppealWatch } from './application/watch.js';
import { Appeals } from './application/appeals.js';
import { ChatDesk } from '../chat/application/chats.js';
import { ChatLog } from '../chat/application/chat-log.js';
import { DealChat, UnreadLines } from '../chat/application/deal-chat.js';
import { ChatUnread, DealLog, SellerSilence } from '../deals/application/hooks.js';
import { LateAppeals } from './application/late-appeals.js';
import { Silence, SilentSellers } from './application/auto-appeals.js';
import { TranscriptKey } from './application/transcript-key.js';
import { Transcripts } from './application/transcripts.js';

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
