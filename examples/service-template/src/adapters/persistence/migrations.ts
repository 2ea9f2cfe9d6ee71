import type { Migration } from '@bourse/persistence';

export const MIGRATIONS: readonly Migration[] = [
  {
    id: '0001-boxes',
    sql: `
      create table box (
        id bigint generated always as identity primary key, user_id bigint not null, currency integer not null,
        amount numeric(38, 18) not null check (amount > 0), seconds integer not null check (seconds > 0),
        state text not null check (state in ('waiting', 'open', 'closed')), closes_at timestamptz,
        check ((state = 'waiting') = (closes_at is null))
      );
      create index box_open on box (user_id, id desc) where state = 'open';
      -- How many boxes a person has, those that wait for the ledger too.
      create table box_count (user_id bigint primary key, boxes integer not null check (boxes >= 0));
    `,
  },
];
