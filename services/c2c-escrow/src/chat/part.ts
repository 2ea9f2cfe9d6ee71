import type { Part } from '@bourse/settings';
import { UnreadCounts, DealLog } from '../deals/application/hooks.js';
import { ChatWriter } from './application/chat-writer.js';
import { DealChats } from './application/deal-chats.js';
import { DealChatLog, ChatUnreadCounts } from './application/deal-chat-log.js';
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
    { provide: DealLog, useClass: DealChatLog },
    { provide: UnreadCounts, useClass: ChatUnreadCounts },
    ChatWriter,
    DealChats,
    ChatAudit,
  ],
  migrations: CHAT_MIGRATIONS,
  settings: CHAT_SETTINGS,
  rules: [],
  audit: [ChatAudit],
};
