import { Database, type Migration } from '@bourse/persistence';

/**
 * The gateway's schema: positions of its consumers, the clock offset of a demo install, breakers, operators' actions,
 * people's images, the commands of idempotency keys, and outages. Nothing about money.
 */
export abstract class GatewayDatabase extends Database {}

export const MIGRATIONS: readonly Migration[] = [
  {
    id: '0001-dev-clock',
    sql: `create table dev_clock (id int primary key check (id = 1), offset_ms bigint not null, session_offset_ms bigint not null)`,
  },
  {
    id: '0002-operators-work',
    sql: `
      -- What operators or the auditor have stopped, beside the markets, whose modes are matching's.
      create table breaker (
        scope text primary key check (scope in ('withdraw', 'c2c', 'lever', 'micro')),
        mode text not null check (mode in ('normal', 'cancel_only', 'halted')), since timestamptz not null default now()
      );
      -- Is there while the exchange stands still because an auditor found a difference: over restarts, until an operator reopens.
      create table standstill (id integer primary key check (id = 1), since timestamptz not null default now(), detail text not null);
      -- The last joined round of the auditors: one instance runs it, all show it.
      create table audit_round (id integer primary key check (id = 1), begun_at timestamptz not null, result text);
      insert into audit_round (id, begun_at) values (1, 'epoch');
      -- Who did what, and why. Rows are added, never changed.
      create table operator_action (
        id bigint generated always as identity primary key, time timestamptz not null default now(), operator_id bigint not null, operator text not null,
        action text not null, target text not null, reason text not null, before text not null, after text not null
      );
      create index operator_action_time on operator_action (time desc);
      create function operator_action_stays() returns trigger language plpgsql as $$
      begin
        raise exception 'rows of % are never changed', tg_table_name using errcode = 'insufficient_privilege';
      end $$;
      create trigger operator_action_append_only before update or delete or truncate on operator_action for each statement execute function operator_action_stays();
    `,
  },
  {
    id: '0003-uploads',
    sql: `
      create table upload (
        name text primary key, user_id bigint not null, scene text not null check (scene in ('pay', 'kyc', 'evidence', 'proof', 'chat')), type text not null check (type in ('jpg', 'png', 'webp')),
        size integer not null check (size > 0 and size <= 5242880), image bytea not null, created_at timestamptz not null default now(), used_at timestamptz
      );
      -- Already compressed.
      alter table upload alter column image set storage external;
      create index upload_unused on upload (created_at) where used_at is null;
      -- How much the images of each user take together.
      create table upload_space (user_id bigint primary key, bytes bigint not null check (bytes >= 0 and bytes <= 1073741824));
    `,
  },
  {
    id: '0004-actions-of-services',
    sql: `
      -- What operators do in other services comes by their streams; its name is known once. Null: the gateway's own.
      alter table operator_action add column event_id text unique;
      create index operator_action_operator on operator_action (operator, id desc);
      create index operator_action_action on operator_action (action, id desc);
      create index operator_action_target on operator_action (target, id desc);
    `,
  },
  {
    id: '0005-sealed-images',
    sql: `
      -- Images lie sealed under this key; null: of an earlier release, sealed at the start of the service. A seal is longer than the image by up to 70 bytes.
      alter table upload add column key_id text;
      create index upload_key on upload (key_id, name collate "C");
      -- What was deleted because its time was over.
      create table retention_run (
        id bigint generated always as identity primary key, what text not null, until timestamptz not null, count integer not null, at timestamptz not null
      );
    `,
  },
  {
    id: '0006-breakers-of-services',
    // Services name scopes of their own: which there are is no matter of the table.
    sql: 'alter table breaker drop constraint breaker_scope_check',
  },
  {
    id: '0007-private-numbers',
    sql: `
      -- Numbers of private events as of a place in the log: every gateway counts on from there (decision 0101).
      create table private_stream (
        partition integer primary key, era integer not null default 1, base bigint not null,
        kafka_offset bigint, positions json not null default '{}', last_stream text
      );
      create table private_number (
        partition integer not null, user_id bigint not null, seq bigint not null, primary key (partition, user_id)
      );
      -- Earlier places of the same numbers: from one of them a gateway that starts reads again what is still asked for.
      create table private_mark (
        partition integer not null, kafka_offset bigint not null, positions json not null,
        noted_at timestamptz not null default clock_timestamp(), primary key (partition, kafka_offset)
      );
    `,
  },
  {
    id: '0008-pictures-of-news',
    sql: `
      -- Operators own pictures of news under their number below zero.
      alter table upload drop constraint upload_scene_check;
      alter table upload add constraint upload_scene_check check (scene in ('pay', 'kyc', 'evidence', 'proof', 'chat', 'news') and (scene = 'news') = (user_id < 0));
    `,
  },
  {
    id: '0009-subjects-of-actions',
    sql: `
      -- People whom a line of the trail is about, beside one that its target names; lines from before name nobody else.
      alter table operator_action add column subjects bigint[] not null default '{}';
      create index operator_action_subjects on operator_action using gin (subjects);
    `,
  },
  {
    id: '0010-beginning-of-stops',
    // Business time; null: normal, or stopped before this was written down.
    sql: 'alter table breaker add column stopped_at timestamptz',
  },
  {
    id: '0011-command-keys',
    sql: `
      -- One Idempotency-Key of a caller stands for one command, whichever service owns its call.
      create table command_key (key_id text primary key, command_id text not null, body_hash text not null, until timestamptz not null);
      create index command_key_until on command_key (until);
    `,
  },
  {
    id: '0012-outages',
    sql: `
      -- When the states of the products were recorded first and last; one gateway at a time records them.
      create table outage_watch (
        id integer primary key check (id = 1), since timestamptz not null, seen_at timestamptz not null);
      -- Seconds of a day (UTC) in which a product was closed in part or as a whole; kept for 90 days.
      create table outage (
        day date not null, product text not null, limited_seconds integer not null check (limited_seconds >= 0),
        down_seconds integer not null check (down_seconds >= 0), primary key (day, product)
      );
    `,
  },
  {
    id: '0013-versions-of-freezes',
    // Each finding has its own: only the freeze that an operator has seen is lifted.
    sql: 'alter table standstill add column version bigint generated always as identity',
  },
];
