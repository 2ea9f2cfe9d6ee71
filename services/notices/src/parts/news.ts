import { NewsController } from '../adapters/http/news.controller.js';
import { NewsItemEntity, NewsTextEntity } from '../adapters/persistence/entities/news.entity.js';
import { NEWS_MIGRATIONS } from '../adapters/persistence/news-migrations.js';
import { PostgresNews } from '../adapters/persistence/postgres-news.js';
import { News } from '../application/ports.js';
import { DemoNews } from '../seed/demo-news.js';
import type { Part } from './part.js';

/** News by category: banners, strips, popups, articles. */
export const NEWS_PART: Part = {
  controllers: [NewsController],
  providers: [{ provide: News, useClass: PostgresNews }, DemoNews],
  migrations: NEWS_MIGRATIONS,
  entities: [NewsItemEntity, NewsTextEntity],
  settings: [],
  rules: [],
};
