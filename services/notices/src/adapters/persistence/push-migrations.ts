import type { Migration } from '@bourse/persistence';

/** Tables of push messages: devices with their price alerts, and what waits to be sent. Their times are real. */
export const PUSH_MIGRATIONS: readonly Migration[] = [
  {
    id: 'notices-0001-push',
    sql: `
      create table push_key (
        id integer primary key check (id = 1), public_key text not null, sealed bytea not null,
        made_at timestamptz not null
      );
      create table push_device (
        id bigint generated always as identity primary key, user_id bigint not null, endpoint text not null,
        p256dh text not null, auth text not null, label text not null, groups text[] not null,
        added_at timestamptz not null, seen_at timestamptz not null
      );
      create unique index push_device_endpoint on push_device (endpoint);
      create index push_device_of_user on push_device (user_id);
      create table push_alert (
        device_id bigint not null references push_device on delete cascade, id text not null, symbol text not null,
        price numeric not null, above boolean not null, link text not null, primary key (device_id, id)
      );
      create index push_alert_of_symbol on push_alert (symbol, above, price);
      create table push_due (
        id bigint generated always as identity primary key,
        device_id bigint not null references push_device on delete cascade,
        payload text not null, due_at timestamptz not null, until_at timestamptz not null, tries integer not null
      );
      create index push_due_at on push_due (due_at);
      create index push_due_of_device on push_due (device_id);
    `,
  },
];
