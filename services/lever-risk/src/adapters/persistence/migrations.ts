import type { Migration } from '@bourse/persistence';

/** Prices in ticks, numbers in lots, money in units of the quote; rates in percent at six decimals. */
export const MIGRATIONS: readonly Migration[] = [
  {
    id: '0001-positions',
    sql: `
      create domain whole as numeric(38, 0) check (value > -1e30 and value < 1e30);
      create domain amount as numeric(38, 0) check (value >= 0 and value < 1e30);

      -- The one judge of risk: who holds the claim decides, and what it takes from the balance is marked until the
      -- ledger has told its outcome.
      create table risk_account (
        user_id bigint not null, quote integer not null, version bigint not null default 0,
        claim text, claim_until timestamptz, in_flight text, touched_at timestamptz not null default clock_timestamp(),
        primary key (user_id, quote), check ((claim is null) = (claim_until is null)),
        check (claim is null or in_flight is null)
      );
      create index risk_account_touched on risk_account (touched_at);

      create table lever_position (
        id bigint primary key, user_id bigint not null, pair_id integer not null, quote integer not null,
        price_scale smallint not null, number_scale smallint not null, quote_scale smallint not null,
        is_long boolean not null, status smallint not null check (status between -1 and 4),
        revision integer not null default 0, share bigint not null check (share > 0),
        multiple integer not null check (multiple > 0), lots amount not null, origin_price amount not null,
        price amount not null, notional amount not null, caution amount not null, origin_caution amount not null,
        fee amount not null, overnight amount not null, burst amount not null, night_paid amount not null default 0,
        night_rest amount not null default 0, target amount not null, stop amount not null,
        closed_by smallint not null default 0 check (closed_by between 0 and 5), close_price amount not null default 0,
        close_profits whole not null default 0, close_shortfall amount not null default 0, settlement text, client_id text not null,
        created_at bigint not null, changed_at bigint not null, opened_at bigint, handled_at bigint,
        check (caution <= origin_caution), check ((status in (2, 3)) = (closed_by <> 0)),
        check ((status in (2, 3)) = (settlement is not null)), check (status not in (1, 2, 3) or opened_at is not null)
      );
      create index position_live on lever_position (user_id, quote) where status in (0, 1, 2);
      create index position_of on lever_position (user_id, created_at desc, id);
      create index position_settlement on lever_position (settlement) where status = 2;
      create index position_night on lever_position (user_id, quote) where night_rest > 0;
      create index position_new on lever_position (created_at desc, id);

      -- Open notional by quote, for the cover of the house.
      create table exposure (quote integer primary key, notional amount not null);
    `,
  },
  {
    // Night fees that earlier closes left unpaid were waived with them and are not collected any more.
    id: '0002-nights-end-with-the-position',
    sql: `update lever_position set night_rest = 0 where status <> 1 and night_rest > 0;`,
  },
  {
    // Few are open among many that have ended: lists of a state and the audit look at those alone.
    id: '0003-positions-by-state',
    sql: `
      drop index position_of, position_new;
      create index position_of on lever_position (user_id, created_at desc, id desc);
      create index position_new on lever_position (created_at desc, id desc);
      create index position_of_state on lever_position (user_id, status, created_at desc, id desc);
      create index position_by_state on lever_position (status, created_at desc, id desc);
    `,
  },
  {
    // Opens and closes of one quote would wait for one another at one row, for as long as a transaction lives.
    id: '0004-exposure-in-slots',
    breaks: true,
    sql: `
      alter table exposure drop constraint exposure_pkey, add column slot smallint not null default 0,
        alter column notional type whole, add primary key (quote, slot);
    `,
  },
  {
    // How often positions came out in which way: counted as they close, so that nobody reads all that ever closed.
    id: '0005-outcomes',
    sql: `
      create table outcome (kind text primary key, positions bigint not null check (positions > 0));
      insert into outcome (kind, positions)
      select case when closed_by = 2 then 'liquidated' when close_profits > 0 then 'won' else 'lost' end, count(*)
      from lever_position where status = 3 group by 1;
    `,
  },
  {
    // Closes would wait for one another at the row of their outcome, for as long as a transaction lives.
    id: '0006-outcomes-in-slots',
    breaks: true,
    sql: `
      alter table outcome drop constraint outcome_pkey, add column slot smallint not null default 0,
        add primary key (kind, slot);
    `,
  },
  {
    // The margin of a position that closes stays held until its settlement is booked. One that closes while this is
    // applied holds its margin; an earlier version writes 0, and its audit expects nothing.
    id: '0007-closes-that-wait',
    sql: `
      alter table lever_position add column settling_hold amount not null default 0;
      update lever_position set settling_hold = caution where status = 2;
      alter table lever_position drop constraint lever_position_closed_by_check,
        add constraint lever_position_closed_by_check check (closed_by between 0 and 6);
    `,
  },
  {
    // Until then calls of the owner leave the account to liquidation, stops, targets and touch orders. A version of
    // before does not read it.
    id: '0008-risk-before-calls',
    sql: `
      alter table risk_account add column risk_until timestamptz;
      create index position_client on lever_position (user_id, client_id, created_at desc, id desc)
        where client_id <> '';
    `,
  },
  {
    // A part close takes contracts off a position and closes them as a position of its own, whose margin stays in the
    // hold of the whole until its settlement is booked.
    id: '0009-part-closes',
    sql: `alter table lever_position add column part_of bigint;`,
  },
  {
    // What was open at the end of a day: of all that has closed, only what closed later is read.
    id: '0010-closes-by-time',
    sql: `create index position_closed on lever_position (user_id, handled_at) where status = 3;`,
  },
];
