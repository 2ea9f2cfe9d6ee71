import { Injectable } from '@nestjs/common';
import type { Language } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { News, NoticesDatabase } from '../../application/ports.js';
import { cleanHtml, plainText } from '../../application/clean-html.js';
import type { NewsDraft, NewsItem } from '../../domain/news.js';

interface NewsRow {
  id: string;
  category: number;
  cover: string;
  link: string;
  updated_at: Date;
  title: string;
  abstract: string;
  content: string;
}
const ITEM = `n.id, n.category, n.cover, n.link, n.updated_at, coalesce(t.title, e.title) as title, coalesce(t.abstract, e.abstract) as abstract, coalesce(t.content, e.content) as content
  from news n join news_text e on e.news_id = n.id and e.lang = 'en' left join news_text t on t.news_id = n.id and t.lang = $1`;

@Injectable()
export class PostgresNews extends News {
  constructor(private readonly database: NoticesDatabase) {
    super();
  }

  async list(
    category: number,
    lang: Language,
    { offset, size }: { offset: number; size: number },
  ): Promise<{ items: NewsItem[]; total: number }> {
    // Categories are 32-bit; any other number names one that has no news.
    if (category > 2_147_483_647) return { items: [], total: 0 };
    const [count] = await this.database.query<{ total: string }>(
      'select count(*) as total from news where category = $1',
      [category],
    );
    const rows = await this.database.query<NewsRow>(
      `select ${ITEM} where n.category = $2 order by n.pinned desc, n.updated_at desc, n.id limit $3 offset $4`,
      [lang, category, size, offset],
    );
    return { items: rows.map(item), total: Number(count?.total ?? 0) };
  }

  async byId(id: number, lang: Language): Promise<NewsItem | null> {
    const [row] = await this.database.query<NewsRow>(`select ${ITEM} where n.id = $2`, [lang, id]);
    return row ? item(row) : null;
  }

  async add(
    tx: Tx,
    { id, category, cover, link, texts }: NewsDraft,
    { pinned, updatedAt }: { pinned: boolean; updatedAt: number },
  ): Promise<void> {
    await tx.execute(
      'insert into news (id, category, pinned, cover, link, updated_at) values ($1, $2, $3, $4, $5, $6)',
      [id, category, pinned, cover, link, new Date(updatedAt)],
    );
    for (const [lang, { title, abstract, content }] of Object.entries(texts)) {
      await tx.execute('insert into news_text (news_id, lang, title, abstract, content) values ($1, $2, $3, $4, $5)', [
        id,
        lang,
        plainText(title),
        plainText(abstract),
        cleanHtml(content),
      ]);
    }
  }
}

function item(row: NewsRow): NewsItem {
  return {
    id: Number(row.id),
    category: row.category,
    cover: row.cover,
    link: row.link,
    updatedAt: row.updated_at.getTime(),
    title: row.title,
    abstract: row.abstract,
    content: cleanHtml(row.content),
  };
}
