// Written by `npm run services` from the manifests of the services (service.json): change those.

/** Logs of the exchange. Partition counts are fixed at install and checked at start. */
export const TOPICS = {
  /** Private events, by user. */
  userEvents: 'user.events',
  /** Catalog, settings and market modes as whole rows. */
  reference: 'reference',
  /** What operators did in any service; the gateway keeps the trail. */
  operatorActions: 'operator.actions',
  /** What has become of people: registered, by whom invited, certified. */
  peopleFacts: 'people.facts',
  /** To the ledger's writers, by user: direct commands of the edge, and the numbered streams of the other services. */
  ledgerCommands: 'ledger.commands',
  /** What the ledger passes on to the wallet with a hold: withdrawals, returns of deposits. */
  walletCommands: 'wallet.commands',
  /** Fees by who paid them, and deposits credited, as journals say. */
  ledgerFacts: 'ledger.facts',
  /** What became of the commands that the sagas of c2c-escrow have sent. */
  ledgerResultsC2cEscrow: 'ledger.results.c2c-escrow',
  /** What became of the commands that the sagas of lever-risk have sent. */
  ledgerResultsLeverRisk: 'ledger.results.lever-risk',
  /** What became of the commands that the sagas of micro-settlement have sent. */
  ledgerResultsMicroSettlement: 'ledger.results.micro-settlement',
  /** What became of the commands that the sagas of points have sent. */
  ledgerResultsPoints: 'ledger.results.points',
  /** What became of the commands that the sagas of savings have sent. */
  ledgerResultsSavings: 'ledger.results.savings',
  /** What became of the commands that the sagas of wallet-ledger have sent. */
  ledgerResultsWalletLedger: 'ledger.results.wallet-ledger',
  /** From the ledger to the books, by the pair's partition. */
  spotCommands: 'spot.commands',
  /** Trades and order facts, by the pair's partition. */
  spotEvents: 'spot.events',
  /** One price a second and market, numbered, chained and signed. */
  marketTicks: 'market.ticks',
  /** What people are told by a personal notice. */
  userNotices: 'user.notices',
} as const;

/** Partitions of each topic: a count, or the setting that gives it. */
export const TOPIC_PARTITIONS = {
  [TOPICS.userEvents]: 1,
  [TOPICS.reference]: 1,
  [TOPICS.operatorActions]: 1,
  [TOPICS.peopleFacts]: 1,
  [TOPICS.ledgerCommands]: 'LEDGER_PARTITIONS',
  [TOPICS.walletCommands]: 1,
  [TOPICS.ledgerFacts]: 1,
  [TOPICS.ledgerResultsC2cEscrow]: 1,
  [TOPICS.ledgerResultsLeverRisk]: 1,
  [TOPICS.ledgerResultsMicroSettlement]: 1,
  [TOPICS.ledgerResultsPoints]: 1,
  [TOPICS.ledgerResultsSavings]: 1,
  [TOPICS.ledgerResultsWalletLedger]: 1,
  [TOPICS.spotCommands]: 'SPOT_PARTITIONS',
  [TOPICS.spotEvents]: 'SPOT_PARTITIONS',
  [TOPICS.marketTicks]: 1,
  [TOPICS.userNotices]: 1,
} as const;

/** Topics of examples, each with its example: they are there where that runs. */
export const EXAMPLE_TOPICS: Readonly<Record<string, { readonly example: string; readonly partitions: number }>> = {
  'ledger.results.service-template': { example: 'service-template', partitions: 1 },
};

type Service =
  | 'gateway'
  | 'auth'
  | 'wallet-ledger'
  | 'spot-matching'
  | 'market-data'
  | 'notices'
  | 'lever-risk'
  | 'micro-settlement'
  | 'c2c-escrow'
  | 'savings'
  | 'points';
type Parties = Readonly<Record<string, readonly Service[]>>;

/** Which services write a topic: from any other one nothing is believed there. Kafka's ACLs should say the same. */
export const TOPIC_WRITERS: Parties = {
  [TOPICS.userEvents]: [
    'wallet-ledger',
    'spot-matching',
    'notices',
    'lever-risk',
    'micro-settlement',
    'c2c-escrow',
    'savings',
    'points',
  ],
  [TOPICS.reference]: [
    'gateway',
    'auth',
    'wallet-ledger',
    'spot-matching',
    'market-data',
    'notices',
    'lever-risk',
    'micro-settlement',
    'c2c-escrow',
    'savings',
    'points',
  ],
  [TOPICS.operatorActions]: [
    'gateway',
    'auth',
    'wallet-ledger',
    'market-data',
    'notices',
    'lever-risk',
    'micro-settlement',
    'c2c-escrow',
    'savings',
    'points',
  ],
  [TOPICS.peopleFacts]: ['auth'],
  [TOPICS.ledgerCommands]: [
    'auth',
    'wallet-ledger',
    'spot-matching',
    'lever-risk',
    'micro-settlement',
    'c2c-escrow',
    'savings',
    'points',
  ],
  [TOPICS.walletCommands]: ['wallet-ledger'],
  [TOPICS.ledgerFacts]: ['wallet-ledger'],
  [TOPICS.ledgerResultsC2cEscrow]: ['wallet-ledger'],
  [TOPICS.ledgerResultsLeverRisk]: ['wallet-ledger'],
  [TOPICS.ledgerResultsMicroSettlement]: ['wallet-ledger'],
  [TOPICS.ledgerResultsPoints]: ['wallet-ledger'],
  [TOPICS.ledgerResultsSavings]: ['wallet-ledger'],
  [TOPICS.ledgerResultsWalletLedger]: ['wallet-ledger'],
  [TOPICS.spotCommands]: ['wallet-ledger', 'spot-matching'],
  [TOPICS.spotEvents]: ['spot-matching'],
  [TOPICS.marketTicks]: ['market-data'],
  [TOPICS.userNotices]: [
    'auth',
    'wallet-ledger',
    'spot-matching',
    'notices',
    'lever-risk',
    'micro-settlement',
    'c2c-escrow',
    'savings',
    'points',
  ],
};

/** Which services read a topic: each record carries a proof for each of them. */
export const TOPIC_READERS: Parties = {
  [TOPICS.userEvents]: ['gateway'],
  [TOPICS.reference]: [
    'gateway',
    'auth',
    'wallet-ledger',
    'spot-matching',
    'market-data',
    'notices',
    'lever-risk',
    'micro-settlement',
    'c2c-escrow',
    'savings',
    'points',
  ],
  [TOPICS.operatorActions]: ['gateway'],
  [TOPICS.peopleFacts]: ['points'],
  [TOPICS.ledgerCommands]: ['wallet-ledger'],
  [TOPICS.walletCommands]: ['wallet-ledger'],
  [TOPICS.ledgerFacts]: ['points'],
  [TOPICS.ledgerResultsC2cEscrow]: ['c2c-escrow'],
  [TOPICS.ledgerResultsLeverRisk]: ['lever-risk'],
  [TOPICS.ledgerResultsMicroSettlement]: ['micro-settlement'],
  [TOPICS.ledgerResultsPoints]: ['points'],
  [TOPICS.ledgerResultsSavings]: ['savings'],
  [TOPICS.ledgerResultsWalletLedger]: ['wallet-ledger'],
  [TOPICS.spotCommands]: ['spot-matching'],
  [TOPICS.spotEvents]: ['market-data'],
  [TOPICS.marketTicks]: ['notices', 'lever-risk', 'micro-settlement', 'c2c-escrow', 'points'],
  [TOPICS.userNotices]: ['notices'],
};

/** Topics to which services send commands directly, without a stream of their own. */
export type DirectTopic = typeof TOPICS.ledgerCommands;
export const DIRECT_TOPICS: ReadonlySet<string> = new Set<DirectTopic>([TOPICS.ledgerCommands]);

/** In whose name a service may send commands to the ledger, and to which topics it may have them passed on. */
export const LEDGER_SENDERS: Readonly<
  Record<
    string,
    { readonly issuers: readonly string[]; readonly forwards: readonly string[]; readonly demoOnly: boolean }
  >
> = {
  auth: { demoOnly: true, issuers: ['seed'], forwards: [] },
  'wallet-ledger': {
    demoOnly: false,
    issuers: ['wallet-ledger', 'chain', 'operator', 'house-purses', 'seed'],
    forwards: ['wallet.commands', 'ledger.commands'],
  },
  'spot-matching': { demoOnly: false, issuers: ['spot-matching'], forwards: ['spot.commands'] },
  'lever-risk': { demoOnly: false, issuers: ['lever-risk'], forwards: [] },
  'micro-settlement': { demoOnly: false, issuers: ['micro-settlement'], forwards: [] },
  'c2c-escrow': { demoOnly: false, issuers: ['c2c-escrow'], forwards: [] },
  savings: { demoOnly: false, issuers: ['savings'], forwards: [] },
  points: { demoOnly: false, issuers: ['points'], forwards: [] },
};
