import { Injectable } from '@nestjs/common';
import { toListPage, type ChatLine as ChatLineView, type ListPage } from '@bourse/contract';
import { Counters, OwnUploads } from '@bourse/messaging';
import { Clock, Config, Refused, type Page } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { isWritable, LINES_MAX, createSpokenLine, type ChatSide } from '../domain/chat-line.js';
import { sideOf, type Deal } from '../../deals/domain/deal.js';
import { ChatStore } from './ports.js';
import { CHAT_OPEN_DAYS, CHAT_PER_MINUTE } from './settings.js';
import { ChatWriter } from './chat-writer.js';
import { toChatLineView } from './views.js';
import { DealStore } from '../../deals/application/ports.js';
import { C2cDatabase } from '../../shared/application/database.js';

const MINUTE_MS = 60_000;
/** The scene under which pictures of the chat are uploaded. */
const UPLOAD_SCENE = 'chat';

/** Reads and writes the chat of a deal for its two sides. */
@Injectable()
export class DealChats {
  constructor(
    private readonly database: C2cDatabase,
    private readonly deals: DealStore,
    private readonly chats: ChatStore,
    private readonly writer: ChatWriter,
    private readonly uploads: OwnUploads,
    private readonly counters: Counters,
    private readonly settings: Settings,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes a line. @throws Refused `common.tooMany`, `common.fieldRequired`, `common.notFound` for a person on neither
   * side, `c2c.state` when the chat is closed, `upload.required` for a picture of another person, `c2c.chatFull` {max}.
   */
  async writeLine(
    userId: number,
    words: { readonly id: string; readonly text?: string | undefined; readonly image?: string | undefined },
    lang: string,
  ): Promise<ChatLineView> {
    await this.limitRate(userId);
    const { id, text, image } = words;
    if (text === undefined && image === undefined)
      throw new Refused('common.fieldRequired', { field: 'text' }, { field: 'text' });
    const { deal, side } = await this.requireParty(userId, id);
    this.requireOpen(deal);
    const name = image === undefined ? '' : await this.uploads.own(userId, UPLOAD_SCENE, image);
    if (name === null) throw new Refused('upload.required', {}, { field: 'image' });
    const line = await this.database.transaction(async (tx) => {
      const chat = await this.chats.find(id, tx);
      if (!chat) throw new Refused('c2c.state', {}, { field: 'id' });
      if ((await this.chats.countSpoken(tx, id)) >= LINES_MAX) throw new Refused('c2c.chatFull', { max: LINES_MAX });
      return this.writer.addLine(tx, chat, createSpokenLine(side, text ?? '', name));
    });
    return toChatLineView(line, lang, this.writer.signLink);
  }

  /**
   * Lists lines, newest first, and marks all lines as read when it returns the first page. @throws Refused
   * `common.notFound`.
   */
  async listLines(
    userId: number,
    { id, after, page }: { readonly id: string; readonly after: number; readonly page: Page },
    lang: string,
  ): Promise<ListPage<ChatLineView>> {
    const { side } = await this.requireParty(userId, id);
    const found = await this.chats.list(id, after, page);
    const last = found.rows[0]?.id;
    if (last !== undefined) await this.chats.markRead(id, side, last);
    return toListPage(found, page, (line) => toChatLineView(line, lang, this.writer.signLink));
  }

  private async requireParty(
    userId: number,
    dealId: string,
  ): Promise<{ readonly deal: Deal; readonly side: ChatSide }> {
    const deal = await this.deals.find(dealId);
    const side = deal && sideOf(deal, userId);
    if (!deal || !side) throw new Refused('common.notFound', {}, { field: 'id' });
    return { deal, side };
  }

  private requireOpen({ endedAt, appeal }: Deal): void {
    const chat = { endedAt, hasOpenAppeal: appeal === 'open' };
    if (!isWritable(chat, this.clock.now(), this.settings.get(CHAT_OPEN_DAYS)))
      throw new Refused('c2c.state', {}, { field: 'id' });
  }

  private async limitRate(userId: number): Promise<void> {
    const { count, resetsInMs } = await this.counters.hit(`c2c.chat:${userId}`, MINUTE_MS);
    if (count > this.settings.get(CHAT_PER_MINUTE) * this.config.rateScale)
      throw new Refused('common.tooMany', { seconds: Math.max(1, Math.ceil(resetsInMs / 1_000)) });
  }
}
