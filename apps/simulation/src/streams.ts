import { resultsTopic, TOPICS, type Message } from '@bourse/events';
import type { SimulatedTables } from '@bourse/ledger-client';
import { chainHash, type OutboxRow, type StreamHead } from '@bourse/persistence';
import { SERVICES } from './services.generated.js';

/** Schemas that send: those of the services, and the gateway's, which the simulator plays. */
export const SCHEMAS = [...SERVICES.map(({ schema }) => schema), 'gateway'];

/** Which schema reads which topic to its end. */
const READERS: readonly (readonly [schema: string, topic: string])[] = [
  ...SERVICES.flatMap(({ service, schema, reads, sagas }) =>
    [...reads, ...(sagas ? [resultsTopic(service)] : [])].map((topic) => [schema, topic] as const),
  ),
  ['gateway', TOPICS.userEvents],
];

/** I9: every stream whole, chained and read to its end, no position beyond it. */
export function checkStreams(server: SimulatedTables): string[] {
  const problems: string[] = [];
  for (const schema of SCHEMAS) {
    const rows = server.rows<OutboxRow>(`${schema}.outbox`);
    for (const name of new Set(rows.map((row) => row.stream))) {
      const ofStream = rows.filter((row) => row.stream === name).sort((a, b) => a.number - b.number);
      let hash = '';
      for (const [index, row] of ofStream.entries()) {
        if (row.number !== index + 1 || row.previousHash !== hash || chainHash(hash, row.payload) !== row.hash)
          problems.push(`I9 ${name} #${row.number} does not follow #${index}`);
        hash = row.hash;
      }
    }
  }
  problems.push(...unread(server));
  for (const { consumer, stream } of server.rows<{ consumer: string; stream: string }>('gateway.dead_letter'))
    problems.push(`I9 ${consumer} gave up a message of ${stream}`);
  return problems;
}

/** Streams that have not been read to their end. */
export function unread(server: SimulatedTables): string[] {
  const problems: string[] = [];
  for (const [reader, topic] of READERS) {
    const positions = new Map(
      server
        .rows<{ stream: string; number: number; hash: string }>(`${reader}.position`)
        .map((row) => [row.stream, row]),
    );
    for (const sender of SCHEMAS) {
      for (const [name, head] of server.entries<StreamHead>(`${sender}.stream`)) {
        if (!name.includes(`>${topic}/`)) continue;
        const position = positions.get(name);
        if ((position?.number ?? 0) !== head.next - 1)
          problems.push(`I9 ${reader} has read ${name} up to ${position?.number ?? 0} of ${head.next - 1}`);
        else if (position && position.hash !== head.hash)
          problems.push(`I9 ${reader} stands at another ${name} #${position.number}`);
      }
    }
  }
  return problems;
}

/** The messages of one row of a stream, from whichever process wrote it. */
export function sentIn(server: SimulatedTables, stream: string, number: number): Message[] {
  for (const schema of SCHEMAS) {
    const row = server.row<OutboxRow>(`${schema}.outbox`, `${stream}#${number}`);
    if (row) return JSON.parse(row.payload) as Message[];
  }
  return [];
}
