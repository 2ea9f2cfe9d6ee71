import type { DepthView, LedgerReply, MarketMode } from '@bourse/events';
import { EDGE_SERVICE, type OperatorRole } from '@bourse/platform';
import type { AuditCheck, AuditFlow } from '../../audit/audit-loop.js';
import type { NeededHold } from '../../audit/needed-holds.js';
import type { ClockOffsets, ProcessState } from '../../clock/process-clock.js';
import type { HouseBook, ServiceDescription } from '../../description/description.js';
import { defineServiceAsk, shape, type NoQuestion } from '../define.js';

/** A piece of an export, oldest first; the next piece begins after `after`, which is null in the last piece. */
export interface ExportPiece {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly after: string | null;
}

/** The operator who changes something, and why. */
export interface ChangedBy {
  readonly operatorId: number;
  readonly operator: string;
  readonly reason: string;
}

/** Facts of a change as operators see them. */
export type ChangeFacts = Readonly<Record<string, unknown>>;

/** The change of a guarded row, as its owner carries it out once it is approved. Values are texts. */
export type GuardedPayload =
  | { readonly service: string; readonly kind: 'setting'; readonly key: string; readonly value: string }
  | {
      readonly service: string;
      readonly kind: 'catalog';
      readonly list: string;
      readonly id: number;
      readonly fields: Readonly<Record<string, string>>;
    };

/** An approved change with what was in force when it was asked for, and the people behind it. */
export interface ApprovedChange {
  readonly approvalId: number;
  readonly payload: GuardedPayload;
  readonly before: ChangeFacts;
  readonly by: ChangedBy;
  /** Names of those who approved it. */
  readonly approvedBy: readonly string[];
}

/** One attempt to carry out an approved call: its approval, and when it was sent (ms, business time). */
export interface SentApproval {
  readonly id: number;
  readonly sentAt: number;
}

/** One round of a service's auditor. `tails`: the last trade of each market, of a service that makes trades. */
export interface AuditRound {
  readonly checks: readonly AuditCheck[];
  readonly flow: AuditFlow;
  readonly tails?: Readonly<Record<string, number>>;
}

/** One text for each bucket of holds. */
export interface HoldDigests {
  readonly digests: readonly string[];
}
/** A hold; `version` separates states of its object that need the same amount. */
export interface AuditedHold extends NeededHold {
  readonly version?: string;
}
/** The holds of some buckets, and how far the service had come in the same snapshot. */
export interface AuditedHolds {
  readonly lines: readonly AuditedHold[];
  readonly flow: AuditFlow;
}

/** Trades by number, both ends included. */
export interface TradeSpan {
  readonly symbol: string;
  readonly from: number;
  readonly to: number;
  /** Trade by trade instead of in blocks. */
  readonly each?: boolean;
  /** Positions that the service must have read at least. */
  readonly until?: AuditFlow['heads'];
}
/**
 * The amounts moved by the trades of a block, or by one trade: the number of sides, and by currency the sums of each
 * side's amounts: net, without sign, weighted by owner, weighted by place; in units of 1e-18.
 */
export interface MovedSums {
  readonly from: number;
  readonly sides: number;
  readonly sums: Readonly<Record<string, readonly string[]>>;
}
/** The same trades as views keep them: how many, and sums of prices and quantities, plain and weighted by place. */
export interface TradedSums {
  readonly from: number;
  readonly trades: number;
  readonly sums: readonly string[];
}

/** Partitions of the books, and the one that runs each market. */
export interface MarketPartitions {
  readonly partitions: number;
  readonly markets: readonly { readonly symbol: string; readonly partition: number }[];
}

/** Kinds of results of an operator's search. */
export const FOUND_KINDS = [
  'user',
  'withdrawal',
  'deposit',
  'order',
  'position',
  'contract',
  'deal',
  'appeal',
] as const;
/** A thing that a service has found by the text of a search. */
export interface FoundThing {
  readonly kind: (typeof FOUND_KINDS)[number];
  readonly id: string;
  /** Id of the owner; 0: it has none. */
  readonly userId: number;
  /** Names it in any language: an account, an amount with its coin, a market. */
  readonly title: string;
  /** The lowest role that may read it. */
  readonly role: OperatorRole;
}

const AUTH = 'auth';

/** Questions that several services answer; `describe` says which of them a service does. */
export const serviceAsks = {
  /** The description of a service: its answers, exports and audits, its breakers, holds and alarms. */
  describe: defineServiceAsk('describe', {
    question: shape<NoQuestion>(),
    answer: shape<ServiceDescription>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** The stored answer of the first of these commands that has one. */
  answers: defineServiceAsk('answers', {
    question: shape<{ readonly commandIds: readonly string[] }>(),
    answer: shape<LedgerReply | null>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** A piece of an export for operators. Times in ms, `to` excluded. */
  export: defineServiceAsk('export', {
    question: shape<{
      readonly what: string;
      readonly from: number;
      readonly to: number;
      readonly after: string | null;
    }>(),
    answer: shape<ExportPiece>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** Things with this id, transaction, address or contact, for operators. */
  find: defineServiceAsk('find', {
    question: shape<{ readonly text: string }>(),
    answer: shape<readonly FoundThing[]>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** Open work of operators: counts by name. */
  work: defineServiceAsk('work', {
    question: shape<NoQuestion>(),
    answer: shape<Readonly<Record<string, number>>>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** The book of each product that the house sells against itself. */
  house: defineServiceAsk('house', {
    question: shape<NoQuestion>(),
    answer: shape<readonly HouseBook[]>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** Saves a setting; a guarded one waits under the approval's id. */
  saveSetting: defineServiceAsk('saveSetting', {
    question: shape<{ readonly key: string; readonly value: string; readonly by: ChangedBy }>(),
    answer: shape<{ readonly approvalId: number | null }>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** The value in force of a guarded row; null: there is no such row. */
  guardedStanding: defineServiceAsk('guarded.standing', {
    question: shape<{ readonly payload: GuardedPayload }>(),
    answer: shape<ChangeFacts | null>(),
    askedBy: [AUTH],
  }),
  /** Carries out an approved change of a guarded row. Not done: the value in force or its bounds have changed. */
  guardedCarryOut: defineServiceAsk('guarded.carryOut', {
    question: shape<ApprovedChange>(),
    answer: shape<{ readonly done: boolean }>(),
    askedBy: [AUTH],
  }),
  /** The present state of what waits for a second operator; null: it can no longer be carried out. */
  approvalStanding: defineServiceAsk('approval.standing', {
    question: shape<{ readonly payload: object }>(),
    answer: shape<ChangeFacts | null>(),
    askedBy: [AUTH],
  }),
  /**
   * Carries out what a second operator has approved. It is asked again with the same `approval` until it is answered,
   * and takes effect once; a refusal says that it has had no effect, unless its type is `pending`. After a refusal the
   * call may be approved again, with another `sentAt`. The release before sends no `approval`.
   */
  approvalCarryOut: defineServiceAsk('approval.carryOut', {
    question: shape<{ readonly payload: object; readonly approval?: SentApproval }>(),
    answer: shape<null>(),
    askedBy: [AUTH],
  }),
  /** A round of the auditor that begins now. */
  audit: defineServiceAsk('audit', {
    question: shape<NoQuestion>(),
    answer: shape<AuditRound>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** The holds of a prefix that the service keeps, or that its objects need: digests, or the lines of some buckets. */
  auditHolds: defineServiceAsk('audit.holds', {
    question: shape<{ readonly prefix: string; readonly buckets?: readonly number[] }>(),
    answer: shape<HoldDigests | AuditedHolds>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** Trades as the service made or settled them (`moved`), or shows them (`traded`). */
  auditTrades: defineServiceAsk('audit.trades', {
    question: shape<TradeSpan>(),
    answer: shape<{ readonly moved?: readonly MovedSums[]; readonly traded?: readonly TradedSums[] }>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** Moves the clocks of a process of a demo install, and runs the timers that are due. */
  moveClock: defineServiceAsk('moveClock', {
    question: shape<ClockOffsets>(),
    answer: shape<ProcessState>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** The committed book of a market; from its owner, or as another process published it last. */
  book: defineServiceAsk('book', {
    question: shape<{ readonly symbol: string; readonly depth?: number }>(),
    answer: shape<DepthView>(),
    askedBy: [EDGE_SERVICE, 'market-data'],
  }),
  /** Changes the mode of a market, behind the commands that were sent before. */
  mode: defineServiceAsk('mode', {
    question: shape<{ readonly symbol: string; readonly mode: MarketMode }>(),
    answer: shape<{ readonly accepted: true }>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** Moves a market to another partition, behind the commands that were sent before. */
  move: defineServiceAsk('move', {
    question: shape<{ readonly symbol: string; readonly to: number }>(),
    answer: shape<{ readonly accepted: true }>(),
    askedBy: [EDGE_SERVICE],
  }),
  /** The partition that runs each market. */
  partitions: defineServiceAsk('partitions', {
    question: shape<NoQuestion>(),
    answer: shape<MarketPartitions>(),
    askedBy: [EDGE_SERVICE],
  }),
};
