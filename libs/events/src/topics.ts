import { partitionOf } from '@bourse/money';
import { EXAMPLE_TOPICS, TOPIC_PARTITIONS, TOPICS } from './topics.generated.js';

export {
  DIRECT_TOPICS,
  LEDGER_SENDERS,
  TOPIC_PARTITIONS,
  TOPIC_READERS,
  TOPIC_WRITERS,
  TOPICS,
  type DirectTopic,
} from './topics.generated.js';

/**
 * Partitions of each topic, fixed at install and checked at start; `LEDGER_PARTITIONS` and `SPOT_PARTITIONS` are
 * settings of the install. Topics of examples are there where these run.
 */
export const partitionsOf = (config: {
  readonly ledgerPartitions: number;
  readonly spotPartitions: number;
  readonly examples?: readonly string[];
}): Readonly<Record<string, number>> => ({
  ...Object.fromEntries(
    Object.entries(TOPIC_PARTITIONS).map(([topic, count]) => [
      topic,
      count === 'LEDGER_PARTITIONS'
        ? config.ledgerPartitions
        : count === 'SPOT_PARTITIONS'
          ? config.spotPartitions
          : count,
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(EXAMPLE_TOPICS).flatMap(([topic, { example, partitions }]) =>
      config.examples?.includes(example) ? [[topic, partitions]] : [],
    ),
  ),
});

const RESULTS = 'ledger.results.';
/** Topic of the ledger's results for the sagas of a service (architecture §7): each issuer has one of its own. */
export const resultsTopic = (service: string): string => RESULTS + service;
/** All topics of results, those of examples too: only a service that has proven its name reads its own. */
export const RESULT_TOPICS: readonly string[] = [...Object.values(TOPICS), ...Object.keys(EXAMPLE_TOPICS)].filter(
  (topic) => topic.startsWith(RESULTS),
);

/**
 * Partition of a user's money. The house follows the user: each partition has its own part of each house account
 * (architecture §4).
 */
export const ledgerPartition = (user: number, partitions: number): number => partitionOf(`user:${user}`, partitions);
