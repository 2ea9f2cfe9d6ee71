import type { Migration } from '@bourse/persistence';

/** Schema `spot`. Plain SQL, forward only; never edited after it landed. */
export const MIGRATIONS: readonly Migration[] = [
  {
    id: '0001-orders-and-trades',
    sql: `
      -- One row per market: the numbers that go on over restarts. Written by the owner of its partition alone.
      create table market (
        symbol text primary key, partition integer not null,
        sequence bigint not null, trade_sequence bigint not null,
        last_price numeric not null check (last_price >= 0 and last_price < 1e20),
        mode text not null check (mode in ('normal', 'cancel_only', 'halted')), mode_version bigint not null,
        at timestamptz not null,
        -- Hash of the book at some sequence: a restart that stands at the same one compares.
        checkpoint_sequence bigint, checkpoint_hash text
      );
      -- With the mode changes, the sequences of these rows are the command log of the books.
      create table orders (
        id bigint primary key, user_id bigint not null, client_order_id text not null, symbol text not null, pair_id integer not null,
        side smallint not null check (side in (0, 1)),
        order_type text not null check (order_type in ('limit', 'market', 'stop_limit', 'stop_market')),
        time_in_force smallint not null check (time_in_force in (0, 1, 2)), post_only boolean not null, self_trade smallint not null check (self_trade in (0, 1, 2)),
        price numeric not null check (price >= 0 and price < 1e20),
        stop_price numeric not null check (stop_price >= 0 and stop_price < 1e20),
        quantity numeric not null check (quantity > 0 and quantity < 1e20),
        held numeric not null check (held >= 0 and held < 1e20),
        maker_fee numeric not null check (maker_fee >= 0 and maker_fee < 100), taker_fee numeric not null check (taker_fee >= 0 and taker_fee < 100),
        placed_at timestamptz not null, updated_at timestamptz not null,
        sequence bigint not null, cancel_sequence bigint not null,
        status smallint not null check (status in (1, 2)), reason text not null, triggered boolean not null,
        filled numeric not null check (filled >= 0 and filled <= quantity),
        quote_filled numeric not null check (quote_filled >= 0 and quote_filled < 1e20),
        fee numeric not null check (fee >= 0 and fee < 1e20),
        hold_left numeric not null check (hold_left >= 0 and hold_left <= held)
      ) with (fillfactor = 80);
      create index orders_open on orders (symbol, sequence) where status = 1;
      create index orders_open_of_user on orders (user_id) where status = 1;
      create index orders_of_user on orders (user_id, placed_at desc, id desc);
      create index orders_client_id on orders (user_id, client_order_id) where client_order_id <> '';
      create table trades (
        symbol text not null, sequence bigint not null, pair_id integer not null,
        price numeric not null check (price > 0 and price < 1e20), quantity numeric not null check (quantity > 0 and quantity < 1e20),
        quote numeric not null check (quote >= 0 and quote < 1e20),
        taker_side smallint not null check (taker_side in (0, 1)),
        buyer_id bigint not null, seller_id bigint not null, buy_order_id bigint not null, sell_order_id bigint not null,
        buyer_fee numeric not null check (buyer_fee >= 0 and buyer_fee < 1e20), seller_fee numeric not null check (seller_fee >= 0 and seller_fee < 1e20),
        at timestamptz not null,
        primary key (symbol, sequence)
      );
      create index trades_of_buyer on trades (buyer_id, at desc);
      create index trades_of_seller on trades (seller_id, at desc);
    `,
  },
  {
    id: '0002-hash-of-each-commit',
    breaks: true,
    sql: `
      -- The hash of the book is kept up with each change, so every commit stores it; empty in rows older than this.
      alter table market add column hash text not null default '', drop column checkpoint_sequence, drop column checkpoint_hash;
    `,
  },
  {
    id: '0003-checkpoints',
    sql: `
      -- A market at one instant, with what its book had read of each stream: replays begin here when older days of the log are gone.
      create table checkpoint (
        symbol text not null, sequence bigint not null, taken_at timestamptz not null default now(),
        trade_sequence bigint not null, last_price numeric not null, mode text not null, at timestamptz not null, hash text not null,
        positions json not null, orders json not null,
        primary key (symbol, sequence)
      );
    `,
  },
  {
    // Orders of one time are listed by their sequence.
    id: '0004-orders-by-time-and-sequence',
    sql: `
      create index orders_of_user_by_time on orders (user_id, placed_at desc, sequence desc, id desc);
      drop index orders_of_user;
    `,
  },
  {
    // Before it, no order changed its price, amount or place in time by a command.
    id: '0005-amends',
    sql: `
      -- Amends that orders have taken: a replay needs the numbers that they took, the auditor the prices before them.
      create table amends (
        symbol text not null, sequence bigint not null, id bigint not null, order_id bigint not null,
        sequence_before bigint not null, trade_sequence bigint not null,
        price_before numeric not null, quantity_before numeric not null, price numeric not null, quantity numeric not null,
        at timestamptz not null,
        primary key (symbol, sequence)
      );
      create index amends_of_order on amends (order_id, sequence);
    `,
  },
  {
    // Before it, no order was linked to another one, and none had exits.
    id: '0006-linked-orders',
    sql: `
      alter table orders
        -- The other leg of its OCO pair, the order whose exit it is, and the prices of its own exits; 0 without.
        add column link_id bigint not null default 0, add column parent_id bigint not null default 0,
        add column take_profit numeric not null default 0 check (take_profit >= 0 and take_profit < 1e20),
        add column stop_loss numeric not null default 0 check (stop_loss >= 0 and stop_loss < 1e20);
    `,
  },
  {
    // Before it, no stop had a trigger that moves.
    id: '0007-trailing-stops',
    sql: `
      -- Not checked against old rows: all of them are of the types before.
      alter table orders drop constraint orders_order_type_check,
        add constraint orders_order_type_check
          check (order_type in ('limit', 'market', 'stop_limit', 'stop_market', 'trailing_stop')) not valid;
      -- Of trailing stops alone, so that no other order pays for them. The best price is that of the market's trades up to
      -- trade_sequence; of an open one it follows from the trades after it.
      create table trails (
        order_id bigint primary key,
        percent numeric not null check (percent >= 0 and percent < 100),
        amount numeric not null check (amount >= 0 and amount < 1e20),
        activation numeric not null check (activation >= 0 and activation < 1e20),
        reference numeric not null check (reference >= 0 and reference < 1e20),
        since bigint not null,
        best numeric not null check (best >= 0 and best < 1e20),
        trade_sequence bigint not null
      );
    `,
  },
  {
    // Before it, only the process that had answered an order knew it until its commit.
    id: '0008-accepted-orders',
    sql: `
      -- Orders that were answered before their rows are there: few, and gone soon after.
      create table accepted (
        order_id bigint primary key, user_id bigint not null, terms text not null,
        at timestamptz not null default now()
      );
      create index accepted_of_user on accepted (user_id);
    `,
  },
  {
    // Before it, everybody paid the rates of the pair.
    id: '0009-turnover',
    sql: `
      -- Turnover of people by day (UTC, days since 1970), in the quote of the pairs: sums of their trades, both sides.
      create table turnover (
        user_id bigint not null, day integer not null, quote_id integer not null,
        amount numeric not null check (amount >= 0 and amount < 1e28),
        primary key (user_id, day, quote_id)
      );
      create index turnover_of_day on turnover (day);
      -- USDT of one unit of a quote, by which the turnover of a day counts.
      create table turnover_price (
        day integer not null, quote_id integer not null, price numeric not null check (price >= 0 and price < 1e20),
        primary key (day, quote_id)
      );
      -- The number of each market up to which its trades are counted, and the days that are counted whole.
      create table turnover_reached (symbol text primary key, sequence bigint not null);
      create table turnover_closed (day integer primary key);
    `,
  },
  {
    // Before it, the market's own trades started every stop.
    id: '0010-stops-by-mark',
    sql: `
      alter table orders add column trigger_by text not null default 'last';
      -- Not checked against old rows: all of them have the default.
      alter table orders add constraint orders_trigger_by_check check (trigger_by in ('last', 'mark')) not valid;
    `,
  },
];
