import type { Migration } from '@bourse/persistence';

export const MIGRATIONS: readonly Migration[] = [
  {
    id: '0001-ticks',
    sql: `
      -- The own copy of the recorded prices, by days of business time.
      create table tick (
        symbol text not null, id bigint not null, time timestamptz not null, price text not null,
        prev_hash text not null, hash text not null, signature text not null, public_key text not null,
        primary key (symbol, time)
      ) partition by range (time);
      -- Where the chain of each market stands.
      create table tick_head (symbol text primary key, id bigint not null, time timestamptz not null, hash text not null);
      -- Ticks that have opened or judged a contract: receipts need them for good.
      create table kept_tick (
        symbol text not null, id bigint not null, time timestamptz not null, price text not null,
        prev_hash text not null, hash text not null, primary key (symbol, id)
      );
      create function make_tick_days(first timestamptz, last timestamptz) returns void language plpgsql as $$
      declare day date;
      begin
        for day in select generate_series((first at time zone 'UTC')::date, (last at time zone 'UTC')::date, interval '1 day')::date loop
          if to_regclass('tick_' || to_char(day, 'YYYYMMDD')) is null then
            execute format('create table %I partition of tick for values from (%L) to (%L)', 'tick_' || to_char(day, 'YYYYMMDD'),
              day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
          end if;
        end loop;
      end $$;
    `,
  },
  {
    id: '0002-contracts',
    sql: `
      create table contract (
        id bigint primary key, user_id bigint not null, match_id integer not null, symbol text not null,
        price_scale smallint not null, currency_id integer not null, currency_name text not null, scale smallint not null,
        direction text not null check (direction in ('up', 'down')), seconds integer not null check (seconds > 0),
        stake numeric not null check (stake > 0 and stake < 1e20), fee numeric not null check (fee >= 0 and fee < 1e20),
        reserve numeric not null check (reserve >= 0 and reserve < 1e20),
        ratio numeric not null check (ratio > 0 and ratio <= 1000), policy_id bigint,
        state text not null check (state in ('waiting', 'opening', 'running', 'closed')),
        accepted_at timestamptz, open_tick_id bigint, open_time timestamptz, open_price text, expire_time timestamptz,
        end_tick_ids bigint[] not null default '{}', end_price text,
        result text check (result in ('win', 'loss', 'tie', 'void')), profits numeric not null default 0,
        handled_at timestamptz, created_at timestamptz not null default now(),
        check ((state = 'waiting') = (accepted_at is null)), check ((state = 'closed') = (result is not null)),
        check (state <> 'running' or expire_time is not null)
      );
      create index contract_of_user on contract (user_id, accepted_at desc, id desc) where state <> 'waiting';
      create index contract_newest on contract (accepted_at desc, id desc) where state <> 'waiting';
      create index contract_opening on contract (accepted_at, id) where state = 'opening';
      create index contract_running on contract (expire_time, id) where state = 'running';
      -- What bounds them: those that wait for the ledger count too.
      create table open_count (user_id bigint primary key, contracts integer not null check (contracts >= 0));
      create table market_reserve (
        match_id integer not null, currency_id integer not null, reserved numeric not null check (reserved >= 0 and reserved < 1e20),
        primary key (match_id, currency_id)
      );
      -- How often contracts came out in which way.
      create table outcome (
        currency_name text not null, result text not null, contracts bigint not null default 0, primary key (currency_name, result)
      );
      -- Durations on offer (rules 15).
      create table seconds_row (
        id integer primary key, seconds integer not null unique check (seconds > 0), profit_ratio numeric not null,
        min_money numeric not null, max_money numeric not null, is_open boolean not null default true
      );
      insert into seconds_row (id, seconds, profit_ratio, min_money, max_money) values
        (1, 30, 40, 1, 5000), (2, 60, 50, 1, 5000), (3, 120, 60, 1, 5000), (4, 180, 70, 1, 5000), (5, 300, 80, 1, 5000);
    `,
  },
  {
    id: '0003-insurance',
    sql: `
      create table insurance_type (
        id integer primary key, currency_id integer not null, name text not null,
        min_amount numeric not null, max_amount numeric not null, premium_rate numeric not null,
        end_profit_rate numeric not null, claim_loss_rate numeric not null, claim_rate numeric not null,
        claims_per_day integer not null, stake_rate numeric not null, max_open integer not null, quota numeric not null,
        -- What active policies take of the quota.
        used numeric not null default 0 check (used >= 0 and used < 1e20)
      );
      insert into insurance_type values (1, 8, 'HAP', 100, 10000, 5, 100, 50, 50, 2, 2, 5, 1000000, 0);
      create table policy (
        id bigint primary key, user_id bigint not null, type_id integer not null references insurance_type,
        currency_id integer not null, currency_name text not null, scale smallint not null,
        amount numeric not null check (amount > 0 and amount < 1e20), premium numeric not null check (premium >= 0 and premium < 1e20),
        vault numeric not null check (vault >= 0 and vault < 1e20), running integer not null check (running >= 0),
        terms json not null,
        state text not null check (state in ('waiting', 'active', 'claiming', 'claimed', 'cancelled', 'ended')),
        created_at timestamptz not null, ended_at timestamptz
      );
      create unique index policy_active on policy (user_id, currency_id) where state in ('waiting', 'active', 'claiming');
      create index policy_of_user on policy (user_id, created_at desc, id desc);
      create table claim (
        id bigint primary key, policy_id bigint not null references policy, user_id bigint not null,
        currency_id integer not null, scale smallint not null, amount numeric not null check (amount >= 0 and amount < 1e20),
        state text not null check (state in ('deciding', 'booked', 'paid')), created_at timestamptz not null, paid_at timestamptz
      );
      create index claim_of_user on claim (user_id, created_at desc, id desc);
      create index claim_newest on claim (created_at desc, id desc);
      create table payout_count (
        user_id bigint not null, day integer not null, payouts integer not null check (payouts >= 0), primary key (user_id, day)
      );
    `,
  },
  {
    id: '0004-broken-chains',
    sql: `
      -- What came after it did not follow: nothing is decided beyond it.
      alter table tick_head add column broken boolean not null default false;
    `,
  },
  {
    // Few are open among many that have ended: lists of what runs and the audit look at those alone.
    id: '0005-what-is-open',
    sql: `
      create index contract_open on contract (accepted_at desc, id desc) where state in ('opening', 'running');
      create index contract_open_of_user on contract (user_id, accepted_at desc, id desc) where state in ('opening', 'running');
      create index contract_unclosed on contract (user_id) where state <> 'closed';
      create index contract_of_policy on contract (policy_id) where policy_id is not null;
    `,
  },
  {
    // Ticks of version 1 do not say when their price was given. Days are made by the consumer and by the hourly
    // maintenance, at a first start both at once: one waits for the other.
    id: '0006-given-at',
    sql: `
      alter table tick add column at timestamptz;
      alter table kept_tick add column at timestamptz;
      create or replace function make_tick_days(first timestamptz, last timestamptz) returns void language plpgsql as $$
      declare day date;
      begin
        for day in select generate_series((first at time zone 'UTC')::date, (last at time zone 'UTC')::date, interval '1 day')::date loop
          if to_regclass('tick_' || to_char(day, 'YYYYMMDD')) is null then
            perform pg_advisory_xact_lock(hashtextextended(current_schema() || '.make_tick_days', 0));
            begin
              execute format('create table %I partition of tick for values from (%L) to (%L)', 'tick_' || to_char(day, 'YYYYMMDD'),
                day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
            exception when duplicate_table then null;
            end;
          end if;
        end loop;
      end $$;
    `,
  },
  {
    id: '0007-guarded-bounds',
    sql: `
      -- At 5 % a policy was worth more than its price. Rows that an operator has changed keep their premium, within its bounds.
      update insurance_type set premium_rate = 15 where premium_rate = 5;
      -- Rows of before come within the bounds of rules §15; contracts and policies keep what they were agreed with.
      update seconds_row set profit_ratio = least(100, greatest(1, profit_ratio)), min_money = least(1000, min_money),
        max_money = least(10000, max_money);
      update insurance_type set min_amount = least(1000, min_amount), max_amount = least(20000, max_amount),
        premium_rate = least(100, greatest(10, premium_rate)), end_profit_rate = least(200, greatest(10, end_profit_rate)),
        claim_loss_rate = least(100, greatest(25, claim_loss_rate)), claim_rate = least(75, claim_rate),
        claims_per_day = least(10, claims_per_day), stake_rate = least(20, stake_rate), max_open = least(20, max_open),
        quota = least(2000000, quota);
    `,
  },
];
