import { Database, type Migration } from '@bourse/persistence';

/** The gateway's schema: positions of its consumers, and the clock offset of a demo install. Nothing about commands or money. */
export abstract class GatewayDatabase extends Database {}

export const MIGRATIONS: readonly Migration[] = [
  { id: '0001-dev-clock', sql: `create table dev_clock (id int primary key check (id = 1), offset_ms bigint not null, session_offset_ms bigint not null)` },
];
