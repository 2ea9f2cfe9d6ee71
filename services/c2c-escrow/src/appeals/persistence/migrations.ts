import type { Migration } from '@bourse/persistence';

export const APPEAL_MIGRATIONS: readonly Migration[] = [
  {
    id: 'appeals-0002-appeals',
    sql: `
      create table appeal (
        id bigint primary key, deal_id bigint not null,
        opened_by text not null check (opened_by in ('buyer', 'seller', 'system')),
        state text not null check (state in ('waiting', 'open', 'withdrawn', 'buyer', 'seller')),
        with_escrow boolean not null, reason text not null,
        opened_at timestamptz not null, due timestamptz not null, ended_at timestamptz,
        decision text not null, decided_by bigint, assigned_to bigint,
        proposed text check (proposed in ('buyer', 'seller')), proposed_by bigint, proposed_at timestamptz,
        check ((ended_at is null) = (state in ('waiting', 'open'))),
        check ((decided_by is null) = (state in ('waiting', 'open', 'withdrawn'))),
        check ((proposed is null) = (proposed_by is null) and (proposed is null) = (proposed_at is null)),
        check (proposed is null or state = 'open')
      );
      create unique index appeal_going on appeal (deal_id) where state in ('waiting', 'open');
      create index appeal_deal on appeal (deal_id, opened_at desc);
      create index appeal_due on appeal (due) where state = 'open';
      create index appeal_newest on appeal (opened_at desc);
      create table appeal_evidence (
        id bigint generated always as identity primary key, appeal_id bigint not null references appeal on delete cascade,
        by text not null check (by in ('buyer', 'seller')), text text not null, picture text not null,
        at timestamptz not null, check (text <> '' or picture <> '')
      );
      create index appeal_evidence_of on appeal_evidence (appeal_id, id);
      create table appeal_event (
        id bigint generated always as identity primary key, appeal_id bigint not null references appeal on delete cascade,
        at timestamptz not null, key text not null, params jsonb not null, note text not null, operator_id bigint,
        is_shown boolean not null, check (key <> '' or note <> ''), check (not is_shown or key <> '')
      );
      create index appeal_event_of on appeal_event (appeal_id, id);
    `,
  },
  {
    id: 'appeals-0003-transcript-keys',
    sql: 'create table transcript_key (public_key text primary key, since timestamptz not null)',
  },
];
