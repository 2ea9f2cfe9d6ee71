import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { Language } from '@bourse/contract';
import { safeInteger } from '@bourse/persistence';
import { NewsItemEntity } from './news-item.entity.js';

/** A news item in one language. */
@Entity('news_text')
export class NewsTextEntity {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  newsId: number;

  @PrimaryColumn('text')
  lang: Language;

  @Column('text')
  title: string;

  @Column('text')
  abstract: string;

  /** HTML. */
  @Column('text')
  content: string;

  @ManyToOne(() => NewsItemEntity, (news) => news.texts)
  @JoinColumn({ name: 'news_id' })
  news: Relation<NewsItemEntity>;
}
