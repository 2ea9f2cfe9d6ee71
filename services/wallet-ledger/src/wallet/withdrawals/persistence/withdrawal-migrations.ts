import type { Migration } from '@bourse/persistence';

/** Tables of withdrawals, payouts and bound addresses. */
export const withdrawalMigrations: readonly Migration[] = [
  {
    id: '0020-withdrawals',
    sql: `
      create table withdrawal (
        id bigint primary key, user_id bigint not null, currency_id integer not null, network_id integer not null,
        number numeric not null check (number > 0 and number < 1e20), fee numeric not null check (fee >= 0 and fee < 1e20),
        received numeric not null check (received > 0 and received < 1e20), check (fee + received = number),
        address text not null, memo text not null, state text not null check (state in ('review', 'sending', 'done', 'failed', 'cancelled')),
        value numeric not null check (value >= 0 and value < 1e20), day date not null, approvals_needed smallint not null check (approvals_needed between 0 and 2),
        reason text not null default '', command_id text not null unique, created_at timestamptz not null, updated_at timestamptz not null
      );
      create index withdrawal_of_user on withdrawal (user_id, created_at desc, id desc);
      create index withdrawal_by_time on withdrawal (created_at desc, id desc);
      create index withdrawal_open on withdrawal (state) where state in ('review', 'sending');

      -- Each operator once.
      create table withdrawal_approval (
        withdrawal_id bigint not null references withdrawal, operator_id bigint not null, at timestamptz not null, primary key (withdrawal_id, operator_id)
      );

      -- Value that a person has withdrawn on a UTC day, in US dollars: changed by one conditional statement.
      create table withdrawal_day (
        user_id bigint not null, day date not null, used numeric not null check (used >= 0 and used < 1e20), primary key (user_id, day)
      );
    `,
  },
  {
    id: '0021-payouts',
    sql: `
      -- What the house pays out on a chain. Amounts in smallest units of the chain.
      create table payout (
        reference text primary key, chain text not null, address text not null, memo text not null, contract text not null,
        amount numeric not null check (amount > 0 and amount < 1e50), confirmations_needed smallint not null check (confirmations_needed between 1 and 1000),
        state text not null default 'waiting' check (state in ('waiting', 'signed', 'done', 'failed')),
        tx_id text not null default '', confirmations integer not null default 0, reason text not null default '',
        created_at timestamptz not null default now(), ended_at timestamptz
      );
      create index payout_open on payout (chain, created_at) where state in ('waiting', 'signed');

      -- Stored before anything is sent; whoever sends again sends these bytes.
      create table payout_signature (
        reference text not null references payout, attempt smallint not null check (attempt between 0 and 100), chain text not null, tx_id text not null, bytes text not null,
        spends text[] not null check (cardinality(spends) > 0), network_fee numeric not null check (network_fee >= 0 and network_fee < 1e50), signed_at timestamptz not null,
        primary key (reference, attempt), unique (chain, tx_id)
      );

      -- A nonce or an output belongs to one payout: none that another payout has signed can be signed again.
      create table payout_spend (chain text not null, spend text not null, reference text not null references payout, primary key (chain, spend));
      create index payout_spend_of on payout_spend (reference);
    `,
  },
  {
    id: '0022-bound-addresses',
    sql: `
      create table bound_address (
        id bigint generated always as identity (start with 1001) primary key, user_id bigint not null, currency_id integer not null, network_id integer not null,
        address text not null, memo text not null, created_at timestamptz not null, usable_at timestamptz not null, removed_at timestamptz
      );
      create unique index bound_address_once on bound_address (user_id, network_id, address, memo) where removed_at is null;
      create index bound_address_of_user on bound_address (user_id, currency_id);

      -- Each signature of the middleware is taken once; they are valid for a minute, so older ones need not be known.
      create table middleware_signature (signature text primary key, at timestamptz not null default now());
      create index middleware_signature_at on middleware_signature (at);
    `,
  },
  {
    id: '0070-received-as-carried',
    sql: `
      -- What a withdrawal brings is what its network can carry: the journals have always booked the rest as fee.
      update withdrawal w set received = trunc(w.received, n.chain_scale), fee = w.number - trunc(w.received, n.chain_scale)
        from network n
        where n.id = w.network_id and trunc(w.received, n.chain_scale) <> w.received and trunc(w.received, n.chain_scale) > 0;
      create index withdrawal_of_day on withdrawal (user_id, created_at) where state in ('review', 'sending', 'done');
    `,
  },
  {
    id: '0120-searched-by-operators',
    sql: `
      create index withdrawal_to on withdrawal (address);
      create index payout_tx on payout (tx_id) where tx_id <> '';
      create index deposit_tx on deposit (tx_id);
      create index deposit_to on deposit (address);
    `,
  },
  {
    id: '0250-movements-ordered-again',
    // Gas was ordered again and again for one address while many payments waited. The treasury orders what is needed.
    sql: `delete from payout where state = 'waiting' and reference ~ '^(gas|cold):'`,
  },
  {
    id: '0253-order-of-opening',
    sql: `
      -- Withdrawals are not opened in the order of their requests. Null: opened by an earlier version.
      create sequence withdrawal_opened;
      alter table withdrawal add opened bigint;
      alter table withdrawal alter opened set default nextval('withdrawal_opened');
    `,
  },
  {
    id: '0254-payments-that-may-fail',
    sql: `
      -- Payments that operators have approved although the chain would refuse them.
      alter table payout add may_fail boolean not null default false;
    `,
  },
];
