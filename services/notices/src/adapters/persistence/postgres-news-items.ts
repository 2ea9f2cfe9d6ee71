import { Injectable } from '@nestjs/common';
import type { Language, Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { NewsItems, type NewsFilter } from '../../application/news-ports.js';
import { cleanHtml, plainText } from '../../application/clean-html.js';
import { NoticesDatabase } from '../../application/ports.js';
import type { NewsText, WholeNews } from '../../domain/news.js';
import { NewsItemEntity, NewsTextEntity } from './entities/news.entity.js';

@Injectable()
export class PostgresNewsItems extends NewsItems {
  constructor(private readonly database: NoticesDatabase) {
    super();
  }

  async list(
    { id, category }: NewsFilter,
    { offset, size }: { offset: number; size: number },
  ): Promise<Rows<WholeNews>> {
    const [rows, total] = await this.database.manager.findAndCount(NewsItemEntity, {
      where: { ...(id !== undefined && { id }), ...(category !== undefined && { category }) },
      relations: { texts: true },
      order: { category: 'ASC', pinned: 'DESC', place: 'DESC', publishedAt: 'DESC', id: 'ASC' },
      skip: offset,
      take: size,
    });
    return { rows: rows.map(itemOf), total };
  }

  async lock(tx: Tx, id: number): Promise<WholeNews | null> {
    const locked = await tx.query('select 1 from news where id = $1::bigint for update', [id]);
    if (locked.length === 0) return null;
    const row = await tx.manager.findOne(NewsItemEntity, { where: { id }, relations: { texts: true } });
    return row && itemOf(row);
  }

  async save(tx: Tx, item: WholeNews): Promise<number> {
    const id = item.id === 0 ? await this.newId(tx) : item.id;
    const { category, cover, link, isPinned: pinned, place, publishedAt, updatedAt, texts } = item;
    const row = { id, category, cover, link, pinned, place, publishedAt, updatedAt };
    await tx.manager.upsert(NewsItemEntity, row, ['id']);
    await tx.manager.delete(NewsTextEntity, { newsId: id });
    await tx.manager.insert(
      NewsTextEntity,
      (Object.entries(texts) as [Language, NewsText][]).map(([lang, text]) => ({
        newsId: id,
        lang,
        title: plainText(text.title),
        abstract: plainText(text.abstract),
        content: cleanHtml(text.content),
      })),
    );
    return id;
  }

  async remove(tx: Tx, id: number): Promise<void> {
    await tx.manager.delete(NewsTextEntity, { newsId: id });
    await tx.manager.delete(NewsItemEntity, { id });
  }

  private async newId(tx: Tx): Promise<number> {
    const [row] = await tx.query<{ id: string }>(`select nextval('news_id')::text as id`);
    return Number(row?.id);
  }
}

function itemOf({ texts, pinned: isPinned, ...row }: NewsItemEntity): WholeNews {
  const { id, category, cover, link, place, publishedAt, updatedAt } = row;
  return {
    ...{ id, category, cover, link, isPinned, place, publishedAt, updatedAt },
    texts: Object.fromEntries(
      texts.map(({ lang, title, abstract, content }) => [lang, { title, abstract, content }]),
    ) as WholeNews['texts'],
  };
}
