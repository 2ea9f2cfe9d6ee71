import type { Database } from '../ports.js';
import { PostgresAnswers } from './postgres-answers.js';
import { PostgresFacts } from './postgres-facts.js';
import { PostgresOwners } from './postgres-owners.js';
import { PostgresSagas } from './postgres-sagas.js';
import { PostgresStreams } from './postgres-streams.js';
import { PostgresTimers } from './postgres-timers.js';
import type { LibraryTables } from './tables.js';

/** The tables of `library-tables.ts` as PostgreSQL has them. */
export function postgresTables(database: Database): LibraryTables {
  return {
    owners: new PostgresOwners(database),
    streams: new PostgresStreams(database),
    answers: new PostgresAnswers(database),
    timers: new PostgresTimers(database),
    facts: new PostgresFacts(database),
    sagas: new PostgresSagas(database),
  };
}
