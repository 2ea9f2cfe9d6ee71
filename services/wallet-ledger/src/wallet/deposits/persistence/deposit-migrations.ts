import type { Migration } from '@bourse/persistence';

/** Tables of networks, keys, deposit addresses and deposits, and of the chain that a demo install simulates. */
export const depositMigrations: readonly Migration[] = [
  {
    id: '0010-deposits',
    sql: `
      -- Seed of all keys, sealed under WALLET_KEY_SECRET. One row for ever.
      create table wallet_seed (one boolean primary key default true check (one), sealed bytea not null, created_at timestamptz not null default now());
      create function seed_stays() returns trigger language plpgsql as $$
      begin
        raise exception 'the seed of the wallets is never changed' using errcode = 'insufficient_privilege';
      end $$;
      create trigger wallet_seed_stays before update or delete or truncate on wallet_seed for each statement execute function seed_stays();

      -- Ways a coin comes and goes; \`place\` orders those of a coin, the first is its default.
      create table network (
        id integer primary key, currency_id integer not null, chain text not null, type text not null, name text not null, contract_address text not null,
        chain_scale smallint not null check (chain_scale between 0 and 30), memo boolean not null,
        min_withdrawal numeric not null check (min_withdrawal >= 0 and min_withdrawal < 1e20), fee_rate numeric not null check (fee_rate >= 0 and fee_rate < 100),
        min_deposit numeric not null check (min_deposit >= 0 and min_deposit < 1e20), confirmations smallint not null check (confirmations between 1 and 1000), place smallint not null
      );

      -- An address belongs to a person for ever; where all share one (XRP), the memo does. \`index\` names its key.
      create table deposit_index (chain text primary key, next integer not null check (next >= 0));
      create table deposit_address (
        user_id bigint not null, chain text not null, index integer not null check (index >= 0), address text not null, memo text not null default '', created_at timestamptz not null default now(),
        primary key (user_id, chain), unique (chain, index), unique (chain, address, memo)
      );

      -- Movements between wallets of the house, written before they are sent: they bring nobody a deposit.
      create table house_movement (chain text not null, tx_id text not null, primary key (chain, tx_id));

      -- What the watcher has seen of a chain: blocks it came by, the newest is how far it is.
      create table chain_block (chain text not null, height bigint not null check (height >= 0), hash text not null, primary key (chain, height));

      -- One row per payment to us, for ever. \`height\` null: no block of the best chain has it now.
      create table deposit (
        id bigint primary key, network_id integer not null, chain text not null, contract text not null, tx_id text not null, output integer not null,
        address text not null, memo text not null, user_id bigint, currency_id integer not null,
        amount numeric not null check (amount > 0 and amount < 1e20), chain_amount numeric not null check (chain_amount > 0 and chain_amount < 1e60),
        height bigint check (height >= 0), state text not null check (state in ('seen', 'held', 'credited', 'returning', 'returned')),
        confirmations_needed smallint not null, return_address text not null default '', return_memo text not null default '', return_fee numeric not null default 0 check (return_fee >= 0 and return_fee < 1e20), return_tx_id text not null default '',
        seen_at timestamptz not null, updated_at timestamptz not null,
        unique (chain, contract, tx_id, output)
      );
      create index deposit_of_user on deposit (user_id, seen_at desc, id desc);
      create index deposit_by_time on deposit (seen_at desc, id desc);
      create index deposit_waiting on deposit (chain, height) where state = 'seen';
      create index deposit_held on deposit (user_id, currency_id) where state = 'held';
      create index deposit_lost on deposit (chain) where height is null and state <> 'seen';
      create index deposit_at_height on deposit (chain, height);

      -- Claims of people that a deposit is missing: support links them to deposits, they credit nothing.
      create table charge_req (
        id bigint primary key, user_id bigint not null, currency_id integer not null, amount numeric not null check (amount > 0 and amount < 1e20), account text not null,
        status smallint not null default 1 check (status between 1 and 4), deposit_id bigint unique references deposit, check ((status = 2) = (deposit_id is not null)),
        decided_by bigint, reason text not null default '', created_at timestamptz not null, updated_at timestamptz not null
      );
      create index charge_req_of_user on charge_req (user_id, created_at desc, id desc);
      create index charge_req_by_time on charge_req (created_at desc, id desc);
    `,
  },
  {
    id: '0011-simulated-chain',
    sql: `
      -- Blocks of a simulated chain are computed: one every two seconds since its beginning, and those that were asked for. \`forks\`: [[first height, branch], ...].
      create table sim_chain (
        chain text primary key, born_at timestamptz not null, extra bigint not null default 0 check (extra >= 0), forks jsonb not null default '[]'
      );
      -- What its blocks hold. \`height\` null: dropped by a fork. Payments of ours name the nonce they spend.
      create table sim_transfer (
        number bigint generated always as identity primary key, chain text not null, tx_id text not null, output integer not null, height bigint check (height >= 0),
        address text not null, memo text not null, contract text not null, amount numeric not null check (amount > 0 and amount < 1e60),
        nonce bigint, fee numeric not null default 0 check (fee >= 0 and fee < 1e60), success boolean not null default true,
        unique (chain, tx_id, output)
      );
      create index sim_transfer_at on sim_transfer (chain, height);
      create index sim_transfer_nonce on sim_transfer (chain, nonce) where nonce is not null;

      -- Blocks there are now. Who puts something into the next block has the lock alone while it looks and writes, so that nobody reads a block and something is in it afterwards.
      create function sim_tips() returns table (name text, height bigint, branches jsonb) language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(hashtext('ledger.sim_chain'));
        return query select chain, floor(extract(epoch from clock_timestamp() - born_at) / 2)::bigint + extra, forks from sim_chain;
      end $$;
      create function sim_tips_alone() returns table (name text, height bigint, branches jsonb) language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtext('ledger.sim_chain'));
        return query select chain, floor(extract(epoch from clock_timestamp() - born_at) / 2)::bigint + extra, forks from sim_chain;
      end $$;
    `,
  },
  {
    id: '0012-simulated-last',
    breaks: true,
    sql: `
      -- With the highest block that holds anything: while nothing comes, one look a second tells all there is to know of all simulated chains.
      drop function sim_tips();
      create function sim_tips() returns table (name text, height bigint, branches jsonb, last bigint) language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(hashtext('ledger.sim_chain'));
        return query select c.chain, floor(extract(epoch from clock_timestamp() - c.born_at) / 2)::bigint + c.extra, c.forks, (select max(t.height) from sim_transfer t where t.chain = c.chain) from sim_chain c;
      end $$;
    `,
  },
  {
    id: '0013-return-again',
    sql: `
      -- Each try to send a deposit back is a payment of its own: one that failed is never taken for the next.
      alter table deposit add return_attempts integer not null default 0 check (return_attempts >= 0);
      update deposit set return_attempts = 1 where state in ('returning', 'returned');
    `,
  },
  {
    id: '0251-closed-chains',
    sql: `
      -- Chains that were reorganised below the known blocks. Nothing is paid out on them until an operator deletes the row.
      create table chain_closed (chain text primary key, reason text not null, at timestamptz not null default now());
    `,
  },
  {
    id: '0252-held-again',
    sql: `
      -- Held deposits that have a block again: they are decided once more when they are deep enough.
      alter table deposit add decide_again boolean not null default false;
      create index deposit_again on deposit (chain, height) where state = 'held' and decide_again;
    `,
  },
];
