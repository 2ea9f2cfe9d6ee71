// The messages of other services to the products of this one in the simulation, and how far they were read.
import { bodiesOf, FeesPaidV1, isExchangeFee, TOPICS, type FeePaid, type Message } from '@bourse/events';
import type { SimulatedTables } from '@bourse/ledger-client';
import type { OutboxRow } from '@bourse/persistence';

/** The fees that all have paid to the exchange, from the ledger's messages. */
export const exchangeFees = (server: SimulatedTables): readonly FeePaid[] =>
  server
    .rows<OutboxRow>('ledger.outbox')
    .filter(({ topic }) => topic === TOPICS.ledgerFacts)
    .flatMap(({ payload }) => bodiesOf(FeesPaidV1, JSON.parse(payload) as Message[]))
    .flatMap(({ fees }) => fees)
    .filter(({ cause }) => isExchangeFee(cause));

/** Whether a consumer of this service has read all messages of a topic. */
export function hasReadAll(server: SimulatedTables, consumer: string, topic: string): boolean {
  const read = (stream: string): number =>
    server.row<{ number: number }>('points.position', `${consumer}\t${stream}`)?.number ?? 0;
  return ['ledger', 'points'].every((schema) =>
    server
      .entries<{ next: number }>(`${schema}.stream`)
      .every(([name, head]) => !name.includes(`>${topic}/`) || read(name) === head.next - 1),
  );
}
