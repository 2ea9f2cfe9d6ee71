import { Body, Controller } from '@nestjs/common';
import { isLanguage, notice } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  listPage,
  message,
  Reply,
  reply,
  type CallContext,
  type Caller,
} from '@bourse/platform';
import * as z from 'zod/mini';
import { NoticeInbox } from '../../application/notice-inbox.js';
import { NoticeBody, NoticeListBody } from './notice-fields.js';

/** The notices of a person (api §2.10). */
@Controller()
export class NoticesController {
  constructor(private readonly inbox: NoticeInbox) {}

  @Call(
    { method: 'POST', path: '/api/notice/list', auth: 'user', whileFrozen: true },
    { summary: 'Own notices, the newest first', answer: reply(listPage(notice), { unread: z.int() }) },
  )
  async list(
    @Body() { page }: NoticeListBody,
    @CurrentCaller() { userId }: Caller,
    @Context() context: CallContext,
  ): Promise<Reply> {
    const { list, unread } = await this.inbox.list(userId, languageOf(context), page);
    return new Reply(list, { unread });
  }

  @Call(
    { method: 'POST', path: '/api/notice/detail', auth: 'user', whileFrozen: true },
    { summary: 'Get an own notice, and mark it as read', answer: message(notice), refuses: ['common.notFound'] },
  )
  detail(@Body() { id }: NoticeBody, @CurrentCaller() { userId }: Caller, @Context() context: CallContext) {
    return this.inbox.read(userId, languageOf(context), id);
  }
}

const languageOf = ({ lang }: CallContext) => (isLanguage(lang) ? lang : 'en');
