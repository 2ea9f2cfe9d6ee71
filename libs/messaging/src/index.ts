export * from './ports.js';
export { InfraModule, instanceName, type InfraOptions } from './infra.module.js';
export { ReferenceModule, ServiceReference } from './reference/reference.js';
export {
  behind,
  CLOCK_VIEW,
  ProcessClock,
  type ClockOffsets,
  type ProcessState,
  type StreamState,
} from './clock/process-clock.js';
export { TimersModule } from './clock/timers.module.js';
export { installFacts } from './boot/install-facts.js';
export { InProcessLog } from './log/in-process-log.js';
export {
  InProcessAsks,
  InProcessCounters,
  InProcessMarks,
  InProcessReplies,
  InProcessViews,
} from './asks/in-process.js';
export type { LogOptions } from './log/base-log.js';
export { delay } from './log/delay.js';
export { LeaseKeeper } from './ownership/ownership.js';
export { leaseUnder, SingleRunner, type Lease } from './ownership/single-runner.js';
export {
  bootService,
  checkPort,
  checkStart,
  closeApp,
  closeOnSignal,
  createServiceApp,
  failStart,
  giveUpOnSignal,
  StartRefused,
  watchConnections,
  type BootOptions,
  type Closing,
} from './boot/boot.js';
export type { HouseBook, OwnedHolds, ServiceDescription, TradeDuties } from './description/description.js';
export { kafkaAddress } from './kafka/kafka-address.js';
export { ForgedRecords } from './seal/forged-records.js';
export { RecordSeal, type Author } from './seal/record-seal.js';
export { KafkaLog, type KafkaLogOptions } from './kafka/kafka-log.js';
export { MESSAGE_BYTES_MAX } from './kafka/partition-fetcher.js';
export { emptyTopics, logHeads, type LogAddress } from './kafka/restored-log.js';
export {
  redisSettings,
  RedisCounters,
  RedisLink,
  RedisMarks,
  RedisReplies,
  RedisViews,
  type RedisAddress,
} from './asks/redis.js';
export { askedFundGate, FundGate, type FundVerdict } from './people/fund-gate.js';
export { MarkPrices, MarkPricesModule } from './prices/mark-prices.js';
export { OwnUploads } from './people/own-uploads.js';
export { samePerson, SecondPerson } from './people/second-person.js';
export { Parties, type PartyFacts, type PartyPayment } from './people/parties.js';
export { Readers, type ReaderFacts } from './people/readers.js';
export { HttpAsks } from './asks/http-asks.js';
export {
  defineAsk,
  defineServiceAsk,
  shape,
  type AnswerOf,
  type Ask,
  type NoQuestion,
  type QuestionOf,
} from './asks/define.js';
export {
  authAsks,
  type ApiKeyFacts,
  type ApprovalRequest,
  type PersonRisk,
  type ProfileFacts,
  type SentMessage,
  type SentVerdict,
  type TotpVerdict,
  type UsedVerdict,
  type WaitingChange,
} from './asks/declared/auth.js';
export { gatewayAsks } from './asks/declared/gateway.js';
export { leverRiskAsks, type Exposure, type LeverOutgoing } from './asks/declared/lever-risk.js';
export { marketDataAsks, type DayCloses } from './asks/declared/market-data.js';
export {
  serviceAsks,
  type ApprovedChange,
  type AuditedHold,
  type AuditedHolds,
  type AuditRound,
  type ChangedBy,
  type ChangeFacts,
  type SentApproval,
  FOUND_KINDS,
  type ExportPiece,
  type FoundThing,
  type GuardedPayload,
  type HoldDigests,
  type MarketPartitions,
  type MovedSums,
  type TradedSums,
  type TradeSpan,
} from './asks/declared/service.js';
export { spotMatchingAsks } from './asks/declared/spot-matching.js';
export { walletLedgerAsks, type Balance, type CauseNet } from './asks/declared/wallet-ledger.js';
export { Answers } from './transport/answers.js';
export {
  batches,
  bodies,
  inMemory,
  ownedPartitions,
  readByAll,
  standby,
  type Awaited,
  type MessageBatch,
  type MessageBody,
} from './transport/patterns.js';
export { AuditPart, PartsAudit } from './parts/audit-part.js';
export { FindPart, isRowId } from './parts/find-part.js';
export {
  hasFinds,
  hasWork,
  joinParts,
  type JoinedParts,
  type ServiceOfParts,
  type ServicePart,
} from './parts/joined-parts.js';
export { OpenWork, WorkPart } from './parts/work-part.js';
export { LogTransport } from './transport/log-transport.js';
export { connectTransport, startMessageApp } from './transport/connect.js';
export {
  AuditLoop,
  AuditPace,
  watchBusyLoop,
  digestsOf,
  flowOf,
  hasRead,
  HOLD_BUCKET,
  type AuditCheck,
  type AuditFlow,
  type AuditView,
  lowestPositions,
  READ_VIEW,
  type StreamsRead,
} from './audit/audit-loop.js';
export { checkAll, type AuditChecks } from './audit/audit-checks.js';
export { HoldReads, type NeededHold, type NeededHolds } from './audit/needed-holds.js';
