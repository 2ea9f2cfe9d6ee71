import { Injectable } from '@nestjs/common';
import { toListPage, type Language, type ListPage, type Notice } from '@bourse/contract';
import { Clock, Refused, type Page } from '@bourse/platform';
import { NoticeStore } from './notice-ports.js';
import { NoticeReaders } from './notice-readers.js';
import { shownNotice } from './notice-words.js';

/** The notices of a person (api §2.10). */
@Injectable()
export class NoticeInbox {
  constructor(
    private readonly store: NoticeStore,
    private readonly readers: NoticeReaders,
    private readonly clock: Clock,
  ) {}

  /** A page of notices, newest first, and the number of all unread ones. @throws AskUnavailable */
  async list(
    userId: number,
    lang: Language,
    page: Page,
  ): Promise<{ readonly list: ListPage<Notice>; readonly unread: number }> {
    const reader = { userId, since: await this.readers.since(userId) };
    const found = await this.store.page(reader, page);
    return { unread: found.unread, list: toListPage(found, page, (notice) => shownNotice(notice, lang)) };
  }

  /** Returns a notice and marks it as read. @throws Refused `common.notFound`; AskUnavailable */
  async read(userId: number, lang: Language, id: number): Promise<Notice> {
    const reader = { userId, since: await this.readers.since(userId) };
    const notice = await this.store.read(reader, id, this.clock.now());
    if (!notice) throw new Refused('common.notFound', {}, { field: 'id' });
    return shownNotice(notice, lang);
  }
}
