import type { Migration } from '@bourse/persistence';

/** Tables of points. Amounts of points have 8 decimals, values of fees 18. */
export const POINTS_MIGRATIONS: readonly Migration[] = [
  {
    id: 'points-0001-accounts',
    sql: `
      create table points_account (
        user_id bigint primary key,
        total numeric not null check (total >= 0 and total < 1e20),
        fresh numeric not null check (fresh >= 0 and fresh <= total), fresh_day integer not null
      );
      create table points_binding (
        reference uuid primary key, user_id bigint not null unique, user_name text not null,
        account text, points numeric not null check (points >= 0), free numeric not null check (free >= 0 and free <= points),
        state text not null check (state in ('asking', 'crediting', 'bound', 'voiding')),
        asked_at timestamptz not null default now(), bound_at timestamptz, told boolean not null default false,
        check ((account is null) = (state in ('asking', 'voiding'))), check ((bound_at is null) = (account is null))
      );
      -- One account of the third party, one person.
      create unique index points_binding_of_account on points_binding (account);
      create index points_binding_left on points_binding (asked_at) where state in ('asking', 'voiding');
      create index points_binding_untold on points_binding (user_id) where state = 'bound' and not told;
      create table points_exchange (
        id bigint primary key, user_id bigint not null, points numeric not null check (points > 0),
        currency_id integer not null, currency_name text not null, scale smallint not null,
        coins numeric not null check (coins > 0), fact_price numeric not null check (fact_price > 0),
        state text not null check (state in ('waiting', 'done')), created_at timestamptz not null
      );
      create index points_exchange_of_user on points_exchange (user_id, created_at desc, id desc);
    `,
  },
  {
    id: 'points-0002-fees',
    sql: `
      -- One row: the first day that is not closed.
      create table points_books (id boolean primary key default true check (id), next_day integer not null);
      create table points_fees (
        day integer not null, user_id bigint not null, value numeric not null, points numeric check (points >= 0),
        state text not null default 'open' check (state in ('open', 'booking', 'done')),
        primary key (day, user_id), check ((points is null) = (state = 'open'))
      );
      create index points_fees_open on points_fees (day, user_id) where state = 'open';
      create index points_fees_of_user on points_fees (user_id, day desc);
      -- Fees of coins of which no price was known when they came.
      create table points_unvalued (
        id bigint generated always as identity primary key,
        journal text not null, user_id bigint not null, currency_id integer not null, amount numeric not null,
        at timestamptz not null
      );
    `,
  },
  {
    id: 'points-0003-references',
    breaks: true,
    sql: `alter table points_binding alter column reference type text using reference::text;`,
  },
];
