import type { LibraryTables } from '../tables/tables.js';
import { MemoryAnswers } from './answers.js';
import { MemoryFacts } from './facts.js';
import { MemoryOwners } from './owners.js';
import { MemorySagas } from './sagas.js';
import type { SchemaRunner } from './statement-runner.js';
import { MemoryStreams } from './streams.js';
import { MemoryTimers } from './timers.js';

/** The tables of every schema, on a server in memory. */
export function memoryTables(database: SchemaRunner): LibraryTables {
  return {
    owners: new MemoryOwners(database),
    streams: new MemoryStreams(database),
    answers: new MemoryAnswers(database),
    timers: new MemoryTimers(database),
    facts: new MemoryFacts(database),
    sagas: new MemorySagas(database),
  };
}
