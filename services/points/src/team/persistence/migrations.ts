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
  {
    id: 'team-0002-rebates',
    sql: `
      -- The last UTC day that was paid, counted from 1970.
      create table rebate_closed (only_row boolean primary key default true check (only_row), day integer not null);
      -- What of a fee goes to whom, exact; the percentage is what it was when the fee came.
      create table rebate_share (
        journal text not null, payer bigint not null, currency integer not null, generation smallint not null check (generation between 1 and 3),
        person bigint not null, percent numeric(9, 6) not null, amount numeric(60, 30) not null, day integer not null,
        primary key (journal, payer, currency, generation)
      );
      create index rebate_share_of on rebate_share (day, person, currency);
      -- Fees whose payer, or a line above, has not registered yet as far as is known.
      create table rebate_waiting (
        journal text not null, payer bigint not null, currency integer not null, amount numeric not null, at bigint not null, percents numeric[] not null,
        primary key (payer, journal, currency)
      );
      -- What is owed for days that are not paid yet; below zero after fees that were given back.
      create table rebate_day (day integer, person bigint, currency integer, sum numeric(60, 30) not null, primary key (day, person, currency));
      -- What was left at the last payment: less than a unit of the coin, or below zero.
      create table rebate_carry (person bigint, currency integer, amount numeric(60, 30) not null, primary key (person, currency));
      create table rebate_paid (
        id bigint generated always as identity primary key, day integer not null, person bigint not null, currency integer not null,
        sum numeric(60, 30) not null, amount numeric(38, 18) not null check (amount >= 0),
        state text not null check (state in ('none', 'paying', 'paid')), paid_at bigint check ((paid_at is not null) = (state = 'paid')),
        unique (day, person, currency), check ((amount > 0) = (state <> 'none'))
      );
      create index rebate_paid_of on rebate_paid (person, id desc) where state = 'paid';
    `,
  },
  {
    id: 'team-0003-carries',
    sql: `
      -- The auditor sums what each person was paid, some people at a time.
      create index rebate_paid_sums on rebate_paid (person, currency) include (sum, amount);
    `,
  },
];
