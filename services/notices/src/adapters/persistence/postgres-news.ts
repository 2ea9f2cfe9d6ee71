import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual } from 'typeorm';
import type { Language, Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { News, NoticesDatabase } from '../../application/ports.js';
import { cleanHtml, pictureAddress, plainText } from '../../application/clean-html.js';
import type { NewsDraft, NewsItem } from '../../domain/news.js';
import { NewsItemEntity, NewsTextEntity } from './entities/news.entity.js';

@Injectable()
export class PostgresNews extends News {
  constructor(
    private readonly database: NoticesDatabase,
    private readonly clock: Clock,
  ) {
    super();
  }

  async list(
    category: number,
    lang: Language,
    { offset, size }: { offset: number; size: number },
  ): Promise<Rows<NewsItem>> {
    // Categories are 32-bit; any other number names one that has no news.
    if (category > 2_147_483_647) return { rows: [], total: 0 };
    const [rows, total] = await this.database.manager.findAndCount(NewsItemEntity, {
      where: { category, publishedAt: LessThanOrEqual(this.clock.now()), texts: { lang: In([lang, 'en']) } },
      relations: { texts: true },
      order: { pinned: 'DESC', place: 'DESC', publishedAt: 'DESC', id: 'ASC' },
      skip: offset,
      take: size,
    });
    return { rows: rows.map((row) => itemIn(lang, row)), total };
  }

  async byId(id: number, lang: Language): Promise<NewsItem | null> {
    const row = await this.database.manager.findOne(NewsItemEntity, {
      where: { id, publishedAt: LessThanOrEqual(this.clock.now()), texts: { lang: In([lang, 'en']) } },
      relations: { texts: true },
    });
    return row && itemIn(lang, row);
  }

  async add(
    tx: Tx,
    { id, category, cover, link, texts }: NewsDraft,
    { pinned, updatedAt }: { pinned: boolean; updatedAt: number },
  ): Promise<void> {
    await tx.manager.insert(NewsItemEntity, {
      ...{ id, category, pinned, cover, link, updatedAt },
      ...{ publishedAt: updatedAt, place: 0 },
    });
    await tx.manager.insert(
      NewsTextEntity,
      Object.entries(texts).map(([lang, { title, abstract, content }]) => ({
        newsId: id,
        lang: lang as Language,
        title: plainText(title),
        abstract: plainText(abstract),
        content: cleanHtml(content),
      })),
    );
  }
}

/** Returns the text in the requested language, else in English, which every item has. */
function itemIn(lang: Language, { texts, id, category, cover, link, updatedAt }: NewsItemEntity): NewsItem {
  const text = texts.find((one) => one.lang === lang) ?? texts[0];
  if (!text) throw new Error(`invariant: news ${id} has no text`);
  const { title, abstract, content } = text;
  return {
    ...{ id, category, cover: pictureAddress(cover), link, updatedAt, lang: text.lang },
    ...{ title, abstract, content: cleanHtml(content) },
  };
}
