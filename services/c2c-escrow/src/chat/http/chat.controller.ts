import { Body, Controller, Query } from '@nestjs/common';
import { chatLine, type ChatLine, type ListPage } from '@bourse/contract';
import { Call, Context, CurrentCaller, listPage, message, type CallContext, type Caller } from '@bourse/platform';
import { DealChats } from '../application/deal-chats.js';
import { ChatBody, ChatQuery } from './fields.js';

/** The chat of a deal (api §2.7). */
@Controller()
export class ChatController {
  constructor(private readonly chat: DealChats) {}

  @Call(
    { method: 'GET', path: '/api/c2c/chat', auth: 'user', rate: 'read', apiKey: 'none' },
    {
      summary: 'List chat messages of an own deal, newest first; reading the first page marks all as read',
      answer: message(listPage(chatLine)),
      refuses: ['common.notFound'],
    },
  )
  listLines(
    @Query() fields: ChatQuery,
    @CurrentCaller() caller: Caller,
    @Context() { lang }: CallContext,
  ): Promise<ListPage<ChatLine>> {
    return this.chat.listLines(caller.userId, fields, lang);
  }

  @Call(
    { method: 'POST', path: '/api/c2c/chat', auth: 'user', apiKey: 'none' },
    {
      summary: 'Send a chat message: a text, a picture, or both',
      answer: message(chatLine),
      refuses: ['common.fieldRequired', 'common.notFound', 'c2c.state', 'upload.required', 'c2c.chatFull'],
    },
  )
  writeLine(
    @Body() fields: ChatBody,
    @CurrentCaller() caller: Caller,
    @Context() { lang }: CallContext,
  ): Promise<ChatLine> {
    return this.chat.writeLine(caller.userId, fields, lang);
  }
}
