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
];
