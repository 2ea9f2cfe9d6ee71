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
    // Of trades stored before nobody has said who stood on their sides; all of them are in the candles.
    id: '0002-house',
    sql: `
    alter table trade add column house boolean not null default false, add column counted boolean not null default true, add check (counted or house);
  `,
  },
  {
    // Settings lie in the table that every schema has; what stands at its default has no row there.
    id: '0003-settings',
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
];
