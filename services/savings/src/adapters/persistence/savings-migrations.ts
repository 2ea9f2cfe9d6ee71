import type { Migration } from '@bourse/persistence';

export const SAVINGS_MIGRATIONS: readonly Migration[] = [
  {
    id: 'savings-0001',
    sql: `
      -- Terms on offer (rules 15): percent for the whole term, and the least amount in whole coins.
      create table deposit_config (
        id integer primary key, currency_id integer not null, day integer not null check (day > 0),
        interest_rate numeric not null check (interest_rate >= 0 and interest_rate <= 100),
        save_min numeric not null check (save_min > 0 and save_min < 1e12), is_open boolean not null default true,
        unique (currency_id, day)
      );
      insert into deposit_config (id, currency_id, day, interest_rate, save_min) values
        (1, 3, 7, 0.4, 100), (2, 3, 15, 0.5, 100), (3, 3, 30, 0.7, 100), (4, 3, 60, 0.9, 100), (5, 3, 90, 1.2, 100),
        (6, 1, 7, 0.4, 0.01), (7, 1, 15, 0.5, 0.01), (8, 1, 30, 0.7, 0.01), (9, 1, 60, 0.9, 0.01),
        (10, 1, 90, 1.2, 0.01);
      -- What was agreed lies in each: rates are percent, amounts in whole coins of the scale.
      create table subscription (
        id bigint primary key, user_id bigint not null, currency_id integer not null, currency_name text not null,
        scale smallint not null, amount numeric not null check (amount > 0 and amount < 1e20),
        day integer not null check (day > 0), rate numeric not null check (rate >= 0 and rate <= 100),
        cancel_rate numeric not null check (cancel_rate >= 0 and cancel_rate <= 100),
        profit numeric not null check (profit >= 0 and profit <= amount),
        state text not null check (state in ('waiting', 'accruing', 'matured', 'cancelled')),
        created_at timestamptz, start_at timestamptz, end_at timestamptz, ended_at timestamptz,
        check ((state = 'waiting') = (created_at is null)), check ((created_at is null) = (start_at is null)),
        check ((created_at is null) = (end_at is null)), check ((state in ('matured', 'cancelled')) = (ended_at is not null)),
        check (created_at < start_at and start_at < end_at), check (state <> 'matured' or ended_at = end_at),
        check (state <> 'cancelled' or ended_at < end_at)
      );
      create index subscription_of_user on subscription (user_id, created_at desc, id desc) where state <> 'waiting';
      create index subscription_newest on subscription (created_at desc, id desc) where state <> 'waiting';
      create index subscription_accruing on subscription (end_at, id) where state = 'accruing';
    `,
  },
  {
    id: 'savings-0002-guarded-bounds',
    sql: `
      -- Rows of before come within the bounds of rules §15; subscriptions keep what they were agreed with.
      update deposit_config set interest_rate = least(2.4, interest_rate), save_min = least(1000, save_min);
    `,
  },
  {
    id: 'savings-0003-terms-of-a-person',
    sql: `
      -- What the house has reserved for a person is summed before each subscription.
      create index subscription_running on subscription (user_id, currency_id) include (profit)
        where state in ('waiting', 'accruing');
    `,
  },
];
