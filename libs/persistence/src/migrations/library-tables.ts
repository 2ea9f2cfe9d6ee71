import type { Migration } from '../ports.js';

/**
 * Tables that every schema has: its outgoing messages (`stream`, `outbox`), its positions as a reader (`owner`,
 * `position`, `dead_letter`), stored answers, its copy of the reference data, its settings (`setting_value`), its
 * deadlines (`timer`), and facts of the install (`meta`). Their migrations have ids of their own beside the service's.
 */
export const LIBRARY_MIGRATIONS: readonly Migration[] = [
  {
    id: 'library-0001-log',
    sql: `
      -- Heads of the streams this schema sends. The row lock taken by the last statement of a transaction makes numbers follow commits.
      create table stream (
        name text primary key, next bigint not null check (next > 1),
        previous_hash text not null, hash text not null
      );
      -- One row per commit and partition. Partitioned by day, so that old days are dropped whole; a number is unique by its head's lock.
      create table outbox (
        stream text not null, number bigint not null, topic text not null, partition integer not null,
        previous_hash text not null, hash text not null, payload text not null, created_at timestamptz not null default now(),
        primary key (stream, number, created_at)
      ) partition by range (created_at);
      -- How far the relay has sent (only where rows leave the process).
      create table relay (stream text primary key, sent bigint not null);
      create table owner (
        consumer text not null, partition integer not null, owner text not null, epoch bigint not null,
        lease_until timestamptz not null, kafka_offset bigint,
        primary key (consumer, partition)
      );
      create table position (
        consumer text not null, stream text not null, number bigint not null, hash text not null,
        primary key (consumer, stream)
      );
      create table dead_letter (
        id bigint generated always as identity primary key, consumer text not null, stream text not null, number bigint not null,
        message text not null, error text not null, created_at timestamptz not null default now()
      );
      create table answers (
        command_id text primary key, body_hash text, state text not null check (state in ('pending', 'done')),
        answer text, created_at timestamptz not null default now(), until timestamptz not null
      );
      create index answers_until on answers (until);
      create sequence reference_change;
      create table reference (
        kind text not null, id text not null, version bigint not null, row jsonb not null,
        change bigint not null default nextval('reference_change'), primary key (kind, id)
      );
      create table meta (name text primary key, value text not null);
    `,
  },
  {
    id: 'library-0002-timer',
    sql: `
      -- Deadlines; due_at is business time, not_before (after a failure) real time.
      create table timer (
        kind text not null, id text not null, due_at timestamptz not null, payload text not null,
        tries integer not null default 0, not_before timestamptz, primary key (kind, id)
      );
      create index timer_due on timer (due_at);
    `,
  },
  {
    id: 'library-0003-member',
    sql: `
      -- Instances that want partitions of a consumer and live; each takes its share.
      create table member (consumer text not null, instance text not null, seen_until timestamptz not null, primary key (consumer, instance));
    `,
  },
  {
    id: 'library-0004-outbox-plain',
    sql: `
      -- Rows of a busy stream are large and live for a day: compressing them costs more than it saves.
      alter table outbox alter column payload set storage external;
    `,
  },
  {
    id: 'library-0005-refuse',
    sql: `
      -- A statement that must not pass ends its transaction by itself: nobody need look at its result before the commit is sent.
      create function refuse(code text, reason text) returns integer language plpgsql as $$
      begin
        raise exception using errcode = code, message = reason;
      end $$;
    `,
  },
  {
    id: 'library-0006-setting',
    sql: `
      -- Settings of this schema's service that an operator has changed; the others have their default (rules §15).
      create table setting_value (
        key text primary key, version bigint not null check (version > 0), value text not null,
        changed_at timestamptz not null default now()
      );
    `,
  },
  {
    id: 'library-0007-saga',
    sql: `
      -- Objects that wait for the ledger's result (architecture §7); the row goes with the transaction that ends the saga.
      create table saga (
        name text not null, object text not null, command_id text, reply_to text, note text,
        tries integer not null default 0, not_before timestamptz, created_at timestamptz not null default now(),
        primary key (name, object)
      );
      create index saga_not_before on saga (not_before) where not_before is not null;
      -- 'open': the effect of the call is under way, and its saga alone ends it. Nobody may take such a claim over.
      alter table answers drop constraint answers_state_check;
      alter table answers add constraint answers_state_check check (state in ('pending', 'open', 'done'));
    `,
  },
  {
    id: 'library-0008-timer-waiting',
    sql: `
      -- Those that have failed and wait are few among the many that are not due yet.
      create index timer_waiting on timer (not_before) where not_before is not null;
    `,
  },
  {
    id: 'library-0009-saga-waits-as',
    sql: `
      -- Of a later step: the name under which the call has waited since the first one. Null: its own.
      alter table saga add column waits_as text;
    `,
  },
  {
    id: 'library-0010-carried-out',
    sql: `
      -- Approved changes of guarded rows that are in force here: whoever asks once more changes nothing (api §2.12).
      create table carried_out (approval_id bigint primary key, at timestamptz not null default now());
    `,
  },
  {
    id: 'library-0011-held-offset',
    sql: `
      -- Offset of the first row before kafka_offset that was read and not applied: its stream waits or has stopped.
      alter table owner add column held_offset bigint;
    `,
  },
  {
    id: 'library-0012-relay-end',
    sql: `
      -- The end of the partition in Kafka as of the last row sent, and when that was; null: not known. A log in which
      -- later records come before this end is another one.
      alter table relay add column kafka_end bigint, add column sent_at timestamptz;
    `,
  },
];
