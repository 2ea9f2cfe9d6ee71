import type { Part } from '@bourse/settings';
import { ChatUnread, DealLog } from '../deals/application/hooks.js';
import { ChatLog } from './application/chat-log.js';
import { ChatDesk } from './application/chats.js';
import { DealChat, UnreadLines } from './application/deal-chat.js';
import { ChatStore } from './application/ports.js';
import { CHAT_SETTINGS } from './application/settings.js';
import { ChatController } from './http/chat.controller.js';
import { ChatAudit } from './persistence/audit.js';
import { CHAT_MIGRATIONS } from './persistence/migrations.js';
import { PostgresChats } from './persistence/postgres-chats.js';

/** Chats of deals. */
export const CHAT: Part = {
  controllers: [ChatController],
  providers: [
    { provide: ChatStore, useClass: PostgresChats },
    { provide: DealLog, useClass: DealChat },
    { provide: ChatUnread, useClass: UnreadLines },
    ChatLog,
    ChatDesk,
    ChatAudit,
  ],
  migrations: CHAT_MIGRATIONS,
  settings: CHAT_SETTINGS,
  rules: [],
  audit: [ChatAudit],
};
