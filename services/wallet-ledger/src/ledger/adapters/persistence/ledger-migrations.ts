import type { Migration } from '@bourse/persistence';

/**
 * Tables of the ledger. Amounts are `numeric` without a scale, so that PostgreSQL never rounds one in silence, bounded
 * on both sides: NaN sorts above every number (invariants §1.1).
 */
export const ledgerMigrations: readonly Migration[] = [
  {
    id: '0001-ledger',
    sql: `
      -- One row per account; the house's purse of partition p has owner -1-p. Sequences count the lines of its two states.
      create table balance (
        owner bigint not null, product text not null, currency integer not null, partition integer not null,
        available numeric not null check (available < 1e20 and (available >= 0 or (owner < 0 and product in ('h.outside', 'h.clearing', 'h.quota') and available > -1e20))),
        held numeric not null check (held >= 0 and held < 1e20),
        available_sequence bigint not null check (available_sequence >= 0), held_sequence bigint not null check (held_sequence >= 0),
        primary key (owner, product, currency)
      ) with (fillfactor = 70);

      -- What of \`held\` is kept for what; a used-up hold has no row.
      create table hold (
        owner bigint not null, product text not null, currency integer not null, name text not null, partition integer not null,
        remaining numeric not null check (remaining > 0 and remaining < 1e20),
        cause_type text not null, cause_id text not null,
        primary key (owner, product, currency, name)
      ) with (fillfactor = 70);

      -- One row per journal and owner it touches. \`entries\`: [product, currency, 'a' available or 'h' held, amount, balance after, sequence, fee, hold, place in the journal].
      -- \`json\`, not \`jsonb\`: the hash is of the text as it was written.
      create table journal (
        partition integer not null, number bigint not null, part smallint not null, owner bigint not null,
        id text not null, cause_type text not null, cause_id text not null,
        entries json not null, previous_hash text not null, hash text not null, created_at timestamptz not null
      ) partition by range (created_at);
      create index journal_owner on journal (owner, number desc);
      create index journal_number on journal (partition, number, part);
      create index journal_transfers on journal (owner, number desc) where cause_type = 'transfer';

      -- Answers of commands, given again for 7 days. By weeks, so that old ones are dropped whole; the one writer of a partition keeps ids unique.
      create table command (
        id text not null, second_key text, body_hash text, ok boolean not null, answer json not null, held text,
        created_at timestamptz not null
      ) partition by range (created_at);
      create index command_id on command (id);
      create index command_second_key on command (second_key) where second_key is not null and ok;

      -- Balances are changed by the writer's transactions only: it says so in each of them, no other code does.
      create function only_the_writer() returns trigger language plpgsql as $$
      begin
        if current_setting('bourse.ledger_writer', true) is distinct from 'on' then
          raise exception 'only the writer of the ledger changes %', tg_table_name using errcode = 'insufficient_privilege';
        end if;
        return null;
      end $$;
      create trigger balance_writer before insert or update or delete or truncate on balance for each statement execute function only_the_writer();
      create trigger hold_writer before insert or update or delete or truncate on hold for each statement execute function only_the_writer();
      create trigger journal_writer before insert on journal for each statement execute function only_the_writer();
      create function never_changed() returns trigger language plpgsql as $$
      begin
        raise exception 'rows of % are never changed', tg_table_name using errcode = 'insufficient_privilege';
      end $$;
      create trigger journal_append_only before update or delete or truncate on journal for each statement execute function never_changed();

      -- Months of the journal and weeks of the answers, from the one before to some ahead; old weeks of answers go.
      create function make_room() returns void language plpgsql as $$
      declare start timestamptz; past text;
      begin
        for start in select generate_series(date_trunc('month', now() at time zone 'UTC') - interval '1 month', date_trunc('month', now() at time zone 'UTC') + interval '3 months', interval '1 month') at time zone 'UTC' loop
          if to_regclass('journal_' || to_char(start at time zone 'UTC', 'YYYYMM')) is null then
            execute format('create table %I partition of journal for values from (%L) to (%L)', 'journal_' || to_char(start at time zone 'UTC', 'YYYYMM'), start, (start at time zone 'UTC' + interval '1 month') at time zone 'UTC');
          end if;
        end loop;
        for start in select generate_series(date_trunc('week', now() at time zone 'UTC') - interval '1 week', date_trunc('week', now() at time zone 'UTC') + interval '4 weeks', interval '1 week') at time zone 'UTC' loop
          if to_regclass('command_' || to_char(start at time zone 'UTC', 'IYYYIW')) is null then
            execute format('create table %I partition of command for values from (%L) to (%L)', 'command_' || to_char(start at time zone 'UTC', 'IYYYIW'), start, (start at time zone 'UTC' + interval '1 week') at time zone 'UTC');
          end if;
        end loop;
        for past in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'command'::regclass and c.relname < 'command_' || to_char((now() at time zone 'UTC') - interval '21 days', 'IYYYIW') loop
          execute format('drop table %I', past);
        end loop;
      end $$;
      select make_room();
    `,
  },
  {
    id: '0002-vacuum',
    sql: `
      -- Small tables whose every row changes again and again: cleaned by what has changed, not by their size.
      alter table balance set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
      alter table hold set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
    `,
  },
];
