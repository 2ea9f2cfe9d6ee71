import type { Migration } from '@bourse/persistence';

/** The id is older than this folder: a migration that has run keeps its id. */
export const CHAT_MIGRATIONS: readonly Migration[] = [
  {
    id: 'appeals-0001-chats',
    sql: `
      create table chat (
        deal_id bigint primary key, buyer_id bigint not null, seller_id bigint not null,
        buyer_lang text not null, seller_lang text not null,
        lines integer not null default 0, buyer_read integer not null default 0, seller_read integer not null default 0
      );
      create table chat_line (
        deal_id bigint not null references chat on delete cascade, id integer not null,
        sender text not null check (sender in ('buyer', 'seller', 'support', 'system')),
        text text not null, image text not null, key text not null, params jsonb not null, at timestamptz not null,
        primary key (deal_id, id), check ((sender = 'system') = (key <> '')), check (text <> '' or image <> '' or key <> '')
      );
    `,
  },
];
