import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn, type Relation } from 'typeorm';
import type { Language } from '@bourse/contract';
import { instant, safeInteger } from '@bourse/persistence';

/** The part of a news item that is the same in every language. */
@Entity('news')
export class NewsItemEntity {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  id: number;

  @Column('integer')
  category: number;

  /** Listed above the others of its category. */
  @Column('boolean')
  pinned: boolean;

  @Column('text')
  cover: string;

  @Column('text')
  link: string;

  @Column('timestamptz', { transformer: instant })
  updatedAt: number;

  /** Not shown before. */
  @Column('timestamptz', { transformer: instant })
  publishedAt: number;

  /** Greater ones come first. */
  @Column('integer')
  place: number;

  @OneToMany(() => NewsTextEntity, (text) => text.news)
  texts: Relation<NewsTextEntity>[];
}

/** A news item in one language. Both point at one another, so they share a file. */
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
  news: NewsItemEntity;
}
