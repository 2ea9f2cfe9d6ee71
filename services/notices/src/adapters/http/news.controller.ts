import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { isLanguage, type ListPage, type News as NewsAnswer } from '@bourse/contract';
import {
  Call,
  Context,
  Fields,
  readInteger,
  readPage,
  Refused,
  timeText,
  type CallContext,
  type FieldRecord,
} from '@bourse/platform';
import { News } from '../../application/ports.js';
import type { NewsItem } from '../../domain/news.js';

const PAGE_SIZE = 20;

/** News of the home page, the header and the footer (api §2.10). */
@ApiTags('notices')
@Controller()
export class NewsController {
  constructor(private readonly news: News) {}

  @ApiOperation({ summary: 'News of one category' })
  @Call({ method: 'POST', path: '/api/news/list', auth: 'public', rate: 'public' })
  async list(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<ListPage<NewsAnswer>> {
    const category = readInteger(fields, 'c_id');
    const { page, size, offset } = readPage(fields, PAGE_SIZE);
    const { items, total } = await this.news.list(category, languageOf(context), { offset, size });
    return {
      list: items.map(answer),
      count: total,
      page,
      page_size: size,
      has_more: offset + items.length < total ? 1 : 0,
    };
  }

  @ApiOperation({ summary: 'One news item' })
  @Call({ method: 'POST', path: '/api/news/detail', auth: 'public', rate: 'public' })
  async detail(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<NewsAnswer> {
    const item = await this.news.byId(readInteger(fields, 'id'), languageOf(context));
    if (!item) throw new Refused('common.notFound');
    return answer(item);
  }
}

const languageOf = ({ lang }: CallContext) => (isLanguage(lang) ? lang : 'en');

function answer({ id, category, title, content, abstract, cover, link, updatedAt }: NewsItem): NewsAnswer {
  return { id, c_id: category, title, content, abstract, cover, link, update_time: timeText(updatedAt) };
}
