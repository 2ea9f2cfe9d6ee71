import type { Migration } from '@bourse/persistence';

/** Tables of schema `market`. Prices and quantities are exact; bars of the history are packed, up to 1,500 in a row. */
export const MIGRATIONS: readonly Migration[] = [
  {
    id: '0001-market',
    sql: `
    create table currency (id integer primary key, version bigint not null, row jsonb not null);
    create table pair (id integer primary key, symbol text not null unique, version bigint not null, row jsonb not null);
    create table setting (name text primary key, value text not null);
    create table feed_anchor (source text primary key, anchor timestamptz not null, recorded_now timestamptz not null);
    create table trade (
      pair_id integer not null, sequence bigint not null, price numeric(28, 8) not null check (price > 0), quantity numeric(28, 8) not null check (quantity > 0),
      taker_side text not null check (taker_side in ('buy', 'sell')), at timestamptz not null,
      primary key (pair_id, sequence)
    );
    create table candle (
      pair_id integer not null, period text not null, opens_at timestamptz not null,
      open numeric(28, 8) not null, high numeric(28, 8) not null, low numeric(28, 8) not null, close numeric(28, 8) not null,
      volume numeric(28, 8) not null check (volume >= 0), turnover numeric(36, 8) not null check (turnover >= 0),
      primary key (pair_id, period, opens_at), check (low <= open and low <= close and high >= open and high >= close)
    );
    create table history (
      pair_id integer not null, period text not null, first_at timestamptz not null, last_at timestamptz not null, bars bytea not null,
      primary key (pair_id, period, first_at)
    );
  `,
  },
  {
    // The sides of trades stored before are unknown; all of them are in the candles.
    id: '0002-house',
    sql: `
    alter table trade add column house boolean not null default false, add column counted boolean not null default true, add check (counted or house);
  `,
  },
  {
    // Settings are in the table that every schema has; a setting at its default has no row there.
    id: '0003-settings',
    breaks: true,
    sql: `
    insert into setting_value (key, version, value) select name, 1, value from setting where name = 'cny_per_usdt' and value <> '6.5';
    drop table setting;
   `,
  },
  {
    // Installs from before this have a history of recorded candles alone.
    id: '0004-simulated-history',
    sql: `
    create table simulated_history (pair_id integer primary key, ends_at timestamptz not null);
  `,
  },
  {
    // Recorded prices. A second has one tick of a pair by the key, numbers have no holes by the head that each moves. By days of the
    // business clock, so that old ones are dropped whole.
    id: '0005-ticks',
    sql: `
    create table tick_key (
      id integer generated always as identity primary key, public_key bytea not null unique check (octet_length(public_key) = 32),
      sealed bytea not null, valid_from timestamptz not null, valid_until timestamptz, check (valid_until > valid_from)
    );
    create unique index tick_key_signing on tick_key ((true)) where valid_until is null;
    create table tick_head (
      pair_id integer primary key, id bigint not null check (id > 0), time timestamptz not null, hash bytea not null check (octet_length(hash) = 32)
    ) with (fillfactor = 50);
    create table tick (
      pair_id integer not null, time timestamptz not null check (extract(epoch from time) % 1 = 0), id bigint not null check (id > 0),
      price numeric not null check (price > 0), kind text not null check (kind in ('recorded', 'simulated', 'live')),
      prev_hash bytea not null check (octet_length(prev_hash) = 32), hash bytea not null check (octet_length(hash) = 32),
      signature bytea not null check (octet_length(signature) = 64), key_id integer not null references tick_key (id),
      primary key (pair_id, time)
    ) partition by range (time);
    create function never_changed() returns trigger language plpgsql as $$
    begin
      raise exception 'rows of % are never changed', tg_table_name using errcode = 'insufficient_privilege';
    end $$;
    create trigger tick_append_only before update or delete on tick for each row execute function never_changed();
    create function tick_room(first_day date, last_day date) returns void language plpgsql as $$
    declare day date;
    begin
      for day in select generate_series(first_day, last_day, interval '1 day') loop
        if to_regclass('tick_' || to_char(day, 'YYYYMMDD')) is null then
          execute format('create table %I partition of tick for values from (%L) to (%L)', 'tick_' || to_char(day, 'YYYYMMDD'),
            day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
        end if;
      end loop;
    end $$;
  `,
  },
  {
    // Trades of a pair that was moved between partitions, read before those that were made before them.
    id: '0006-trades-ahead',
    sql: `
    create table trade_ahead (
      pair_id integer not null, sequence bigint not null, trade json not null, since timestamptz not null default now(),
      primary key (pair_id, sequence)
    );
  `,
  },
  {
    id: '0007-trades-by-time',
    sql: `create index trade_by_time on trade (pair_id, at, sequence);`,
  },
  {
    // Ticks of version 1 do not say when their price was given. Two recorders that change over make the same day: the
    // second one waits for the first.
    id: '0008-given-at',
    sql: `
    alter table tick add column at timestamptz;
    create or replace function tick_room(first_day date, last_day date) returns void language plpgsql as $$
    declare day date;
    begin
      for day in select generate_series(first_day, last_day, interval '1 day') loop
        if to_regclass('tick_' || to_char(day, 'YYYYMMDD')) is null then
          perform pg_advisory_xact_lock(hashtextextended(current_schema() || '.tick_room', 0));
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
    // Rows of before come within the bounds of rules §15; orders keep what they agreed to.
    id: '0009-guarded-bounds',
    sql: `
    update pair set version = version + 1, row = row || jsonb_build_object(
      'marketBand', trim_scale(least(20, greatest(0.5, (row ->> 'marketBand')::numeric)))::text,
      'minTotal', trim_scale(least(1000, (row ->> 'minTotal')::numeric))::text
    ) where (row ->> 'marketBand')::numeric not between 0.5 and 20 or (row ->> 'minTotal')::numeric > 1000;
  `,
  },
];
