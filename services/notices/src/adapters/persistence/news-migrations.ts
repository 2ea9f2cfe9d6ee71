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
];
