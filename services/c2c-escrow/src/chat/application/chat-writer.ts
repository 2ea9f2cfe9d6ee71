import { Injectable } from '@nestjs/common';
import type { Language } from '@bourse/contract';
import { ledgerPartition, TOPICS, userEvent } from '@bourse/events';
import { Log } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Clock, Config, signedUpload } from '@bourse/platform';
import type { ChatLine, NewLine } from '../domain/chat-line.js';
import { ChatStore, type Chat } from './ports.js';
import { toChatLineView, type SignLink } from './views.js';

/** Adds lines to chats and pushes them to both sides. */
@Injectable()
export class ChatWriter {
  constructor(
    private readonly store: ChatStore,
    private readonly log: Log,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Adds a line in the caller's transaction; both sides get the push after the commit. */
  async addLine(tx: Tx, chat: Chat, said: NewLine): Promise<ChatLine> {
    const line = await this.store.add(tx, chat.dealId, said, this.clock.now());
    this.pushLine(tx, chat.dealId, chat.buyerId, chat.buyerLang, line);
    this.pushLine(tx, chat.dealId, chat.sellerId, chat.sellerLang, line);
    return line;
  }

  /** Signs the address of a picture; the address is valid for five minutes. */
  readonly signLink: SignLink = (name) => signedUpload(this.config.internalSecret, name, this.clock.real());

  private pushLine(tx: Tx, dealId: string, userId: number, lang: Language, line: ChatLine): void {
    tx.emit(
      TOPICS.userEvents,
      ledgerPartition(userId, this.log.partitionsOf(TOPICS.userEvents)),
      userEvent(userId, 'c2c_chat', { deal_id: dealId, line: toChatLineView(line, lang, this.signLink) }),
    );
  }
}
