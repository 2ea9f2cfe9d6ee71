import { NewsAdminController } from '../adapters/http/news-admin.controller.js';
import { NewsController } from '../adapters/http/news.controller.js';
import { GatewayNewsPictures } from '../adapters/messaging/gateway-news-pictures.js';
import { NewsItemEntity, NewsTextEntity } from '../adapters/persistence/entities/news.entity.js';
import { NEWS_MIGRATIONS } from '../adapters/persistence/news-migrations.js';
import { PostgresNewsItems } from '../adapters/persistence/postgres-news-items.js';
import { PostgresNews } from '../adapters/persistence/postgres-news.js';
import { NewsAdmin } from '../application/news-admin.js';
import { NewsItems, NewsPictures } from '../application/news-ports.js';
import { News } from '../application/ports.js';
import { DemoNews } from '../seed/demo-news.js';
import type { NoticesPart } from './part.js';

/** News by category: banners, strips, popups, articles. */
export const NEWS_PART: NoticesPart = {
  controllers: [NewsController, NewsAdminController],
  providers: [
    { provide: News, useClass: PostgresNews },
    { provide: NewsItems, useClass: PostgresNewsItems },
    { provide: NewsPictures, useClass: GatewayNewsPictures },
    NewsAdmin,
    DemoNews,
  ],
  migrations: NEWS_MIGRATIONS,
  entities: [NewsItemEntity, NewsTextEntity],
  settings: [],
  rules: [],
};
