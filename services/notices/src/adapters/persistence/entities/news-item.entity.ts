import { Column, Entity, OneToMany, PrimaryColumn } from 'typeorm';
import { instant, safeInteger } from '@bourse/persistence';
import { NewsTextEntity } from './news-text.entity.js';

/** What is the same of a news item in every language. */
@Entity('news')
export class NewsItemEntity {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  id: number;

  @Column('integer')
  category: number;

  /** Stands above the others of its category. */
  @Column('boolean')
  pinned: boolean;

  @Column('text')
  cover: string;

  @Column('text')
  link: string;

  @Column('timestamptz', { transformer: instant })
  updatedAt: number;

  @OneToMany(() => NewsTextEntity, (text) => text.news)
  texts: NewsTextEntity[];
}
