import type { Migration } from '@bourse/persistence';

export const COMPLAINT_MIGRATIONS: readonly Migration[] = [
  {
    id: 'complaints-0001',
    sql: `
      create table complaint (
        id bigint primary key check (id > 0 and id < 9007199254740992), user_id bigint not null, lang text not null,
        kind text not null, subject text not null, about text not null,
        state text not null check (state in ('open', 'answered', 'closed')),
        created_at timestamptz not null, updated_at timestamptz not null, closed_at timestamptz,
        unread integer not null check (unread >= 0), length integer not null check (length > 0),
        check ((closed_at is not null) = (state = 'closed'))
      );
      create index complaint_of on complaint (user_id, updated_at desc, id);
      create index complaint_state on complaint (state, updated_at, id);
      create index complaint_moved on complaint (updated_at desc, id);
      create table complaint_message (
        complaint_id bigint not null references complaint, id integer not null,
        sender text not null check (sender in ('user', 'support')), text text not null, images text[] not null,
        at timestamptz not null, operator_id bigint,
        primary key (complaint_id, id), check ((operator_id is not null) = (sender = 'support'))
      );
    `,
  },
];
