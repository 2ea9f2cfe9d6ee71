import { partitionOf } from '@bourse/money';

/** Logs of the exchange. Partition counts are fixed at install and checked at start. */
export const TOPICS = {
  /** To the ledger's writers, by user: direct commands of the edge, and the numbered streams of the other services. */
  ledgerCommands: 'ledger.commands',
  /** From the ledger to the books, by the pair's partition. */
  spotCommands: 'spot.commands',
  /** Trades and order facts, by the pair's partition. */
  spotEvents: 'spot.events',
  /** Private events, by user. */
  userEvents: 'user.events',
  /** Catalog, settings and market modes as whole rows. */
  reference: 'reference',
  /** What the ledger passes on to the wallet with a hold: withdrawals, returns of deposits. */
  walletCommands: 'wallet.commands',
  /** What operators did in any service; the gateway keeps the trail. */
  operatorActions: 'operator.actions',
} as const;

type Service = 'gateway' | 'auth' | 'wallet-ledger' | 'spot-matching' | 'market-data' | 'notices';
type Parties = Readonly<Record<string, readonly Service[]>>;
/**
 * Which services write a topic: from any other one nothing is believed there. The same list is what Kafka's ACLs should
 * say (deploy/README.md).
 */
export const TOPIC_WRITERS: Parties = {
  /** Auth's are the balances of people for load tests, on demo installs. */
  [TOPICS.ledgerCommands]: ['wallet-ledger', 'spot-matching', 'auth'],
  [TOPICS.spotCommands]: ['wallet-ledger'],
  [TOPICS.spotEvents]: ['spot-matching'],
  [TOPICS.userEvents]: ['wallet-ledger', 'spot-matching'],
  [TOPICS.reference]: ['market-data', 'spot-matching'],
  [TOPICS.walletCommands]: ['wallet-ledger'],
  [TOPICS.operatorActions]: ['auth', 'wallet-ledger'],
};
/** Which services read a topic: each record carries a proof for each of them. */
export const TOPIC_READERS: Parties = {
  [TOPICS.ledgerCommands]: ['wallet-ledger'],
  [TOPICS.spotCommands]: ['spot-matching'],
  [TOPICS.spotEvents]: ['market-data'],
  [TOPICS.userEvents]: ['gateway'],
  [TOPICS.reference]: ['gateway', 'auth', 'wallet-ledger', 'spot-matching', 'market-data', 'notices'],
  [TOPICS.walletCommands]: ['wallet-ledger'],
  [TOPICS.operatorActions]: ['gateway'],
};

/**
 * Where services send commands directly, without a stream of their own. In every other topic there are only numbered
 * rows of streams.
 */
export type DirectTopic = typeof TOPICS.ledgerCommands;
export const DIRECT_TOPICS: ReadonlySet<string> = new Set<DirectTopic>([TOPICS.ledgerCommands]);

/**
 * Partition of a user's money. The house follows the user: each partition has its own purse of each house account
 * (architecture §4).
 */
export const ledgerPartition = (user: number, partitions: number): number => partitionOf(`user:${user}`, partitions);
