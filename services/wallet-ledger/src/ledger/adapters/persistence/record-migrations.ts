import type { Migration } from '@bourse/persistence';

/** Tables of what the ledger proves and of what operators book by hand. */
export const recordMigrations: readonly Migration[] = [
  {
    id: '0030-solvency',
    sql: `
      -- A look at what is owed to everybody. Wanted first, then taken by whoever claims it; a claim that was left is taken over.
      create table solvency_snapshot (
        id integer generated always as identity primary key, state text not null default 'wanted' check (state in ('wanted', 'done')),
        day date unique, taken_at timestamptz, simulated_assets boolean, claimed_until timestamptz, claimed_by text
      );
      create table solvency_coin (
        snapshot_id integer not null references solvency_snapshot on delete cascade, currency integer not null, name text not null, scale smallint not null,
        liabilities numeric not null check (liabilities >= 0 and liabilities < 1e25), assets numeric not null check (assets > -1e25 and assets < 1e25),
        leaves integer not null check (leaves >= 0), depth smallint not null check (depth between 0 and 32), root_hash text not null,
        primary key (snapshot_id, currency)
      );
      -- By snapshots, so that an old one is dropped whole.
      create table solvency_leaf (
        snapshot_id integer not null, currency integer not null, owner bigint not null, place integer not null, nonce text not null, balance numeric not null check (balance >= 0 and balance < 1e21),
        primary key (snapshot_id, currency, owner)
      ) partition by list (snapshot_id);
      -- All levels of all trees, some nodes a row: [[hash, sum], ...].
      create table solvency_nodes (
        snapshot_id integer not null, currency integer not null, level smallint not null, block integer not null, nodes json not null,
        primary key (snapshot_id, currency, level, block)
      ) partition by list (snapshot_id);
    `,
  },
  {
    id: '0031-adjustments',
    sql: `
      -- What one operator asks for and another decides: money to or from a person (\`account\`), or between accounts of the house (\`account\` to \`to_account\`).
      create table adjustment (
        id integer generated always as identity primary key, user_id bigint, account text not null, to_account text, currency_id integer not null,
        amount numeric not null check (amount <> 0 and amount > -1e20 and amount < 1e20), reason_code text not null, note text not null,
        state text not null default 'waiting' check (state in ('waiting', 'posting', 'approved', 'rejected')),
        created_by bigint not null, created_by_name text not null, created_at timestamptz not null,
        decided_by bigint, decided_by_name text not null default '', decided_at timestamptz, decision_reason text not null default '',
        check ((user_id is null) = (to_account is not null)), check (state not in ('posting', 'approved') or (decided_by is not null and decided_by <> created_by))
      );
      create index adjustment_posting on adjustment (id) where state = 'posting';
      create index adjustment_of_user on adjustment (user_id, id desc);
      -- Its commands to the ledger, one for each purse it touches; what was refused is planned anew under another number.
      create table adjustment_part (
        adjustment_id integer not null references adjustment, part integer not null, partition integer not null, amount numeric not null check (amount <> 0 and amount > -1e20 and amount < 1e20),
        state text not null default 'sent' check (state in ('sent', 'done', 'refused')), primary key (adjustment_id, part)
      );

      -- Journals of everything but trading are few enough to be found by what they are about.
      create index journal_cause on journal (cause_type, cause_id) where cause_type not in ('trade', 'order');
    `,
  },
];
