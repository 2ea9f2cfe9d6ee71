import type { Migration } from '@bourse/persistence';

/**
 * Tables of what real chains need beyond deposits and payouts: outputs of ours, movements between our own wallets, and
 * what the networks took for all of it.
 */
export const sweepMigrations: readonly Migration[] = [
  {
    id: '0040-sweeps',
    sql: `
      -- Outputs that pay our addresses, found again when a payment needs them. A memory: the node is asked whether they are there. \`spent_by\`: the transaction that a block showed.
      create table own_output (
        chain text not null, tx_id text not null, output integer not null check (output >= 0), address text not null, amount numeric not null check (amount > 0 and amount < 1e20),
        height bigint not null check (height >= 0), spent_by text, spent_height bigint check (spent_height >= 0), primary key (chain, tx_id, output)
      );
      create index own_output_unspent on own_output (chain, amount desc) where spent_by is null;
      create index own_output_spent on own_output (chain, spent_height) where spent_by is not null;

      -- What is fetched from deposit addresses into the hot wallet, one at a time for each address and contract. The ledger does not change: it is ours in both places.
      create table sweep (
        id bigint generated always as identity primary key, chain text not null, address text not null, key_index integer not null check (key_index >= 0), contract text not null,
        amount numeric not null check (amount > 0 and amount < 1e60), state text not null default 'signed' check (state in ('signed', 'done', 'failed')),
        created_at timestamptz not null default now(), ended_at timestamptz
      );
      create unique index sweep_open on sweep (chain, address) where state = 'signed';

      -- Stored before anything is sent; whoever sends again sends these bytes. A replacement spends the same.
      create table sweep_signature (
        sweep_id bigint not null references sweep, attempt smallint not null check (attempt between 0 and 100), chain text not null, tx_id text not null, bytes text not null,
        spends text[] not null check (cardinality(spends) > 0), network_fee numeric not null check (network_fee >= 0 and network_fee < 1e60), signed_at timestamptz not null default now(),
        primary key (sweep_id, attempt), unique (chain, tx_id)
      );

      -- What a network took for a transaction of ours, in smallest units of the chain's coin. The house pays it.
      create table network_fee (chain text not null, tx_id text not null, reference text not null, amount numeric not null check (amount >= 0 and amount < 1e60), at timestamptz not null default now(), primary key (chain, tx_id));
      create index network_fee_reference on network_fee (reference);
      -- How much of them the ledger knows: booked, or asked for and not answered yet. Amounts as the ledger keeps them.
      create table network_fee_booking (
        chain text not null, number integer not null check (number > 0), currency_id integer not null, account text not null, amount numeric not null check (amount > 0 and amount < 1e20),
        state text not null default 'asked' check (state in ('asked', 'booked', 'refused')), at timestamptz not null default now(), primary key (chain, number)
      );
    `,
  },
  {
    id: '0041-fee-purses',
    sql: `alter table network_fee_booking add column partition integer not null default 0 check (partition >= 0);`,
  },
];
