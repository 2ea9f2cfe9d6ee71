import type { Migration } from '@bourse/persistence';

export const TEAM_MIGRATIONS: readonly Migration[] = [
  {
    id: 'team-0001-members',
    sql: `
      -- Who invited whom, and what their teams have come to: a copy made of facts. A line of inviters is walked by the primary key.
      create table team_member (
        id bigint primary key, inviter_id bigint check (inviter_id <> id), registered boolean not null, certified boolean not null,
        -- Unix ms; 0 until the registration is known.
        joined_at bigint not null,
        invited integer not null, direct integer not null, team integer not null,
        own_top_up numeric(38, 8) not null, top_up numeric(38, 8) not null, rank smallint not null check (rank between 0 and 4)
      ) with (fillfactor = 70);
      create index team_member_invited on team_member (inviter_id, joined_at, id);
      create table team_deposit (id text primary key, user_id bigint not null, value numeric(38, 8) not null, at bigint not null);
      create index team_deposit_of on team_deposit (user_id);
      -- The one row that whoever changes the team holds.
      create table team_turn (only_row boolean primary key default true check (only_row));
      insert into team_turn default values;
    `,
  },
];
