import type { Migration } from '@bourse/persistence';

/** Tables of ads and deals. */
export const DEAL_MIGRATIONS: readonly Migration[] = [
  {
    id: 'deals-0001-ads',
    sql: `
      create sequence ad_id as bigint start 1001;
      create table ad (
        id bigint primary key, kind text not null check (kind in ('c2c', 'shop')), type text not null check (type in ('buy', 'sell')),
        owner_id bigint not null, owner_account text not null check (owner_account in ('legal', 'merchant')), owner_name text not null,
        shop_id bigint, level text not null check (level in ('', 'verified', 'advanced')),
        currency_id integer not null, currency_name text not null, scale smallint not null,
        coin_code text not null, fiat_scale smallint not null, price numeric not null check (price > 0 and price < 1e20), way text not null,
        total numeric not null check (total > 0 and total < 1e20),
        min_number numeric not null check (min_number >= 0 and min_number < 1e20),
        max_number numeric not null check (max_number > 0 and max_number < 1e20),
        fee_rate numeric not null check (fee_rate >= 0 and fee_rate < 1e20), limit_minutes integer not null check (limit_minutes between 1 and 10080),
        created_at timestamptz not null,
        state text not null check (state in ('waiting', 'shelf', 'off', 'sold')),
        surplus numeric not null check (surplus >= 0 and surplus < 1e20),
        surplus_fee numeric not null check (surplus_fee >= 0 and surplus_fee < 1e20),
        finished numeric not null check (finished >= 0 and finished < 1e20),
        returned numeric not null check (returned >= 0 and returned < 1e20),
        open_deals integer not null check (open_deals >= 0)
      );
      create index ad_market on ad (kind, type, currency_id, price, id) where state = 'shelf';
      create index ad_of_owner on ad (owner_id, id desc);
      create index ad_of_shop on ad (shop_id, id desc) where shop_id is not null;
      create index ad_open on ad (id) where state = 'shelf' or open_deals > 0;
    `,
  },
  {
    id: 'deals-0002-deals',
    sql: `
      create table deal (
        id bigint primary key, ad_id bigint not null references ad, kind text not null, type text not null, shop_id bigint,
        owner_id bigint not null, taker_id bigint not null, owner_name text not null, taker_name text not null,
        owner_lang text not null, taker_lang text not null,
        seller_account text not null check (seller_account in ('legal', 'merchant')),
        currency_id integer not null, currency_name text not null, scale smallint not null,
        coin_code text not null, fiat_scale smallint not null, price numeric not null check (price > 0 and price < 1e20), way text not null,
        number numeric not null check (number > 0 and number < 1e20), money numeric not null check (money >= 0 and money < 1e20),
        fee numeric not null check (fee >= 0 and fee < 1e20), in_ad boolean not null,
        state text not null check (state in ('waiting', 'unpaid', 'paid', 'finished', 'cancelled')),
        appeal text not null check (appeal in ('none', 'open', 'buyer', 'seller')), appeal_by text, decision_due timestamptz,
        created_at timestamptz not null, deadline timestamptz not null, paid_at timestamptz, ended_at timestamptz,
        cancelled_by text check (cancelled_by in ('buyer', 'deadline', 'decision')), proof text,
        -- Names, phones and payment details of both, sealed.
        facts text not null,
        check (owner_id <> taker_id)
      );
      create index deal_of_ad on deal (ad_id, created_at desc, id desc);
      create index deal_of_taker on deal (taker_id, created_at desc, id desc);
      create index deal_of_owner on deal (owner_id, created_at desc, id desc);
      create index deal_newest on deal (created_at desc, id desc);
      create index deal_unfinished on deal (id) where state in ('waiting', 'unpaid', 'paid');
      create index deal_ended on deal (owner_id, ended_at) where state in ('finished', 'cancelled');
      -- Unfinished deals of a person as taker.
      create table taker_count (user_id bigint primary key, deals integer not null check (deals >= 0));
      -- How often a buyer has cancelled on a day (UTC).
      create table cancel_count (
        user_id bigint not null, day integer not null, cancels integer not null check (cancels >= 0), primary key (user_id, day)
      );
    `,
  },
  {
    id: 'deals-0003-silence',
    sql: `
      -- Since when the seller's answer is waited for: the payment, or an appeal that was taken back after it.
      alter table deal add column silent_since timestamptz;
      update deal set silent_since = paid_at;
    `,
  },
  {
    id: 'deals-0004-ended',
    sql: `
      -- The auditor looks at what has ended last in every round.
      create index deal_ended_last on deal (ended_at desc) where ended_at is not null;
    `,
  },
  {
    id: 'deals-0005-expired',
    sql: `
      -- When a cancel by deadline was decided. A deal that an appeal has reopened is cancelled by its deadline again when
      -- the appeal is withdrawn.
      alter table deal add column expired_at timestamptz;
      update deal set expired_at = coalesce(ended_at, deadline)
        where cancelled_by = 'deadline' or (state = 'paid' and paid_at >= deadline);
    `,
  },
];
