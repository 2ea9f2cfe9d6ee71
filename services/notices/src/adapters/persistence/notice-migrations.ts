import type { Migration } from '@bourse/persistence';

/** Tables of personal notices. A row without a person is for everybody who was registered at its time. */
export const NOTICE_MIGRATIONS: readonly Migration[] = [
  {
    id: 'notices-0001-notices',
    sql: `
      create table notice (
        id bigint generated always as identity primary key, user_id bigint, source text not null, kind text not null,
        params jsonb not null, texts jsonb, link text not null, at timestamptz not null, read_at timestamptz,
        check ((kind = 'message') = (texts is not null)), check (user_id is not null or (texts is not null and read_at is null))
      );
      -- What is told once stands once, however often it comes.
      create unique index notice_once on notice (user_id, source) nulls not distinct;
      create index notice_of_user on notice (user_id, id desc);
      create index notice_unread on notice (user_id) where read_at is null;
      create index notice_at on notice (at);
      -- Who has read what everybody was told.
      create table notice_read (
        user_id bigint not null, notice_id bigint not null references notice on delete cascade, read_at timestamptz not null,
        primary key (user_id, notice_id)
      );
      create index notice_read_of on notice_read (notice_id);
    `,
  },
];
