import { Injectable } from '@nestjs/common';
import type { Language } from '@bourse/contract';
import { ledgerPartition, TOPICS, userEvent } from '@bourse/events';
import { Log } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Clock, Config, signedUpload } from '@bourse/platform';
import type { ChatLine, Said } from '../domain/chat-line.js';
import { ChatStore, type Chat } from './ports.js';
import { shownLine, type Link } from './views.js';

/** Adds lines to chats and tells both sides. */
@Injectable()
export class ChatLog {
  constructor(
    private readonly store: ChatStore,
    private readonly log: Log,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** In the transaction that makes it true; both sides hear of it when that stands. */
  async add(tx: Tx, chat: Chat, said: Said): Promise<ChatLine> {
    const line = await this.store.add(tx, chat.dealId, said, this.clock.now());
    this.push(tx, chat.dealId, chat.buyerId, chat.buyerLang, line);
    this.push(tx, chat.dealId, chat.sellerId, chat.sellerLang, line);
    return line;
  }

  /** Addresses of pictures, good for five minutes. */
  readonly link: Link = (name) => signedUpload(this.config.internalSecret, name, this.clock.real());

  private push(tx: Tx, dealId: string, userId: number, lang: Language, line: ChatLine): void {
    tx.emit(
      TOPICS.userEvents,
      ledgerPartition(userId, this.log.partitionsOf(TOPICS.userEvents)),
      userEvent(userId, 'c2c_chat', { deal_id: dealId, line: shownLine(line, lang, this.link) }),
    );
  }
}
