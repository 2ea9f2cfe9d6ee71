import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { isLanguage, news as newsAnswer, toListPage, type ListPage, type News as NewsAnswer } from '@bourse/contract';
import { Call, type CallContext, Context, listPage, message, Refused, timeText } from '@bourse/platform';
import { NewsBody, NewsListBody } from './fields.js';
import { News } from '../../application/ports.js';
import type { NewsItem } from '../../domain/news.js';

/** News of the home page, the header and the footer (api §2.10). */
@ApiTags('notices')
@Controller()
export class NewsController {
  constructor(private readonly news: News) {}

  @Call(
    { method: 'POST', path: '/api/news/list', auth: 'public', rate: 'public' },
    { summary: 'News of one category', answer: message(listPage(newsAnswer)) },
  )
  async list(@Body() fields: NewsListBody, @Context() context: CallContext): Promise<ListPage<NewsAnswer>> {
    const { category, page } = fields;
    return toListPage(await this.news.list(category, languageOf(context), page), page, answer);
  }

  @Call(
    { method: 'POST', path: '/api/news/detail', auth: 'public', rate: 'public' },
    { summary: 'One news item', answer: message(newsAnswer), refuses: ['common.notFound'] },
  )
  async detail(@Body() fields: NewsBody, @Context() context: CallContext): Promise<NewsAnswer> {
    const item = await this.news.byId(fields.id, languageOf(context));
    if (!item) throw new Refused('common.notFound');
    return answer(item);
  }
}

const languageOf = ({ lang }: CallContext) => (isLanguage(lang) ? lang : 'en');

function answer({ category, updatedAt, ...item }: NewsItem): NewsAnswer {
  return { ...item, c_id: category, update_time: timeText(updatedAt) };
}
