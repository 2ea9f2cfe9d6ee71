import { Body, Controller, Query } from '@nestjs/common';
import { flag, LANGUAGES, timeText, type DataPage } from '@bourse/contract';
import { Call, CurrentCaller, dataPage, message, notice, type Caller, type Notice } from '@bourse/platform';
import * as z from 'zod/mini';
import { NewsAdmin, type ShownNews } from '../../application/news-admin.js';
import { AdminNewsQuery, RemoveNewsBody, SaveNewsBody } from './news-fields.js';

const PATH = '/api/admin/news';
const row = z.object({
  id: z.int(),
  c_id: z.int(),
  title: z.string(),
  abstract: z.string(),
  content: z.string(),
  langs: z.array(z.enum(LANGUAGES)),
  cover: z.string(),
  link: z.string(),
  pinned: flag,
  sort: z.int(),
  publish_time: timeText,
  update_time: timeText,
});

/** News as operators write them (api §2.12). */
@Controller()
export class NewsAdminController {
  constructor(private readonly admin: NewsAdmin) {}

  @Call(
    { method: 'GET', path: PATH, auth: 'operator', role: 'support' },
    { summary: 'List news in order, future ones included', answer: message(dataPage(row)) },
  )
  list(@Query() { id, category, lang, page }: AdminNewsQuery): Promise<DataPage<ShownNews>> {
    return this.admin.list({ id, category }, lang, page);
  }

  @Call(
    { method: 'POST', path: PATH, auth: 'operator', role: 'support' },
    {
      summary: 'Add a news item, or change the given fields of one; texts by language, English first',
      answer: notice('admin.newsSaved', { id: z.int() }),
      refuses: ['upload.required', 'common.notFound', 'common.fieldRequired', 'common.fieldInvalid'],
    },
  )
  save(@Body() fields: SaveNewsBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.admin.save(operator, fields);
  }

  @Call(
    { method: 'DELETE', path: PATH, auth: 'operator', role: 'support' },
    {
      summary: 'Delete a news item, or its text in one language',
      answer: notice('admin.newsRemoved'),
      refuses: ['common.notFound'],
    },
  )
  remove(@Body() { id, lang = 'en', reason }: RemoveNewsBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.admin.remove(operator, { id, lang, reason });
  }
}
