import type { Migration } from '@bourse/persistence';

export const NEWS_MIGRATIONS: readonly Migration[] = [
  {
    id: '0001-news',
    sql: `
      create table news (
        id bigint primary key check (id > 0 and id < 9007199254740992), category integer not null, pinned boolean not null default false,
        cover text not null default '', link text not null default '', updated_at timestamptz not null
      );
      create index news_list on news (category, pinned desc, updated_at desc, id);
      create table news_text (
        news_id bigint not null references news, lang text not null, title text not null, abstract text not null, content text not null,
        primary key (news_id, lang)
      );
    `,
  },
  {
    id: '0002-news-desk',
    breaks: true,
    sql: `
      alter table news add column published_at timestamptz, add column place integer not null default 0;
      update news set published_at = updated_at;
      alter table news alter column published_at set not null;
      drop index news_list;
      create index news_list on news (category, pinned desc, place desc, published_at desc, id);
      -- Below it lie the numbers of the seeded items.
      create sequence news_id start 10000;
    `,
  },
];
