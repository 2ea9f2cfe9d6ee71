import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Params } from '@bourse/contract';
import { OwnUploads } from '@bourse/messaging';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { retentionStart, createSystemLine } from '../domain/chat-line.js';
import { ChatStore, type Chat } from './ports.js';
import { CHAT_KEEP_DAYS } from './settings.js';
import { ChatWriter } from './chat-writer.js';
import { UnreadCounts, DealLog, type LoggedDeal } from '../../deals/application/hooks.js';
import { C2cDatabase } from '../../shared/application/database.js';

const SWEEP_TIMER = 'chat.sweep';
const DAY_MS = 86_400_000;
/** How many chats one sweep removes at most. */
const SWEEP_BATCH = 500;

/** Writes the steps of deals into their chats and removes expired chats once a day. */
@Injectable()
export class DealChatLog extends DealLog implements OnApplicationBootstrap {
  constructor(
    private readonly database: C2cDatabase,
    private readonly chats: ChatStore,
    private readonly writer: ChatWriter,
    private readonly uploads: OwnUploads,
    private readonly timers: Timers,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    super();
    timers.handle(SWEEP_TIMER, ({ dueAt }, tx) => this.sweep(tx, dueAt));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.database.transaction((tx) => this.scheduleSweep(tx, nextDay(this.clock.now())));
  }

  async addLine(tx: Tx, { id, buyer, seller }: LoggedDeal, key: string, params: Params = {}): Promise<void> {
    const chat: Chat = {
      dealId: id,
      buyerId: buyer.userId,
      sellerId: seller.userId,
      buyerLang: buyer.lang,
      sellerLang: seller.lang,
    };
    await this.chats.open(tx, chat);
    await this.writer.addLine(tx, chat, createSystemLine(key, params));
  }

  /** Removes the pictures before the lines that name them: a failure in between leaves no picture without a name. */
  private async sweep(tx: Tx, now: number): Promise<void> {
    const before = retentionStart(now, this.settings.get(CHAT_KEEP_DAYS));
    const { dealIds, pictures } = await this.chats.listExpired(before, SWEEP_BATCH);
    await this.uploads.forget(pictures);
    await this.chats.remove(tx, dealIds);
    await this.scheduleSweep(tx, dealIds.length < SWEEP_BATCH ? nextDay(now) : now);
  }
  private scheduleSweep(tx: Tx, at: number): Promise<void> {
    return this.timers.set(tx, SWEEP_TIMER, 'all', at);
  }
}
const nextDay = (now: number): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS;

/** Counts unread lines for the lists of deals. */
@Injectable()
export class ChatUnreadCounts extends UnreadCounts {
  constructor(private readonly chats: ChatStore) {
    super();
  }
  countUnread(userId: number, dealIds: readonly string[], tx?: Tx): Promise<ReadonlyMap<string, number>> {
    return this.chats.countUnread(userId, dealIds, tx);
  }
}
