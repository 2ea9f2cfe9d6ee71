import type { Migration } from '@bourse/persistence';

/** Migrations that tighten roles and constraints. */
export const hardeningMigrations: readonly Migration[] = [
  {
    id: '0050-held-payouts',
    sql: `
      -- Whose payment it is: a frozen person's is not signed. Null: the house pays itself.
      alter table payout add user_id bigint;
      update payout p set user_id = w.user_id from withdrawal w where p.reference = 'withdrawal:' || w.id;
      update payout p set user_id = d.user_id from deposit d where split_part(p.reference, ':', 1) = 'deposit' and split_part(p.reference, ':', 2) = d.id::text;

      -- What a returned deposit counts against its person's day, in US dollars, and which day.
      alter table deposit add return_value numeric not null default 0 check (return_value >= 0 and return_value < 1e20);
      alter table deposit add return_day date;
    `,
  },
  {
    id: '0051-seed-resealed',
    sql: `
      -- The seed stays for ever; its seal is replaced under a new secret or in a better form, by the start that can open it and says so.
      alter table wallet_seed add sealed_at timestamptz not null default now();
      create or replace function seed_stays() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and current_setting('bourse.wallet_reseal', true) = 'on' then
          return null;
        end if;
        raise exception 'the seed of the wallets is never changed' using errcode = 'insufficient_privilege';
      end $$;
    `,
  },
  {
    id: '0052-line-sums',
    sql: `
      -- Sums of people's lines up to a number of their partition, so that checking an account adds up what is newer only. The journal is never changed,
      -- and its hashes are audited: what was added up once stays right. Small, and changed by one process at a time.
      create table line_cursor (partition integer primary key, number bigint not null check (number >= 0));
      create table line_sum (
        owner bigint not null check (owner > 0), product text not null, currency integer not null, state text not null check (state in ('a', 'h')),
        sum numeric not null check (sum > -1e25 and sum < 1e25), primary key (owner, product, currency, state)
      ) with (fillfactor = 70);
    `,
  },
  {
    id: '0071-refused-commands',
    // Answers that changed nothing are deleted after an hour, and found by this.
    sql: 'create index command_refused on command (created_at) where not ok',
  },
];
