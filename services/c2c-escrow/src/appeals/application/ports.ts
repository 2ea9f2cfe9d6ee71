import type { Params } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { Appeal, AppealSide, AppealState, EvidenceCount } from '../domain/appeal.js';
import type { Page, Rows } from '../../shared/application/pages.js';

/** A piece of evidence: words, a picture, or both. */
export interface Evidence {
  readonly by: AppealSide;
  readonly text: string;
  /** Name of a picture; empty: none. */
  readonly picture: string;
  readonly at: number;
}
/** What has happened to an appeal. */
export interface AppealEvent {
  readonly at: number;
  /** A text of ours; empty: `note` says it. */
  readonly key: string;
  readonly params: Params;
  /** Words of an operator, for operators. */
  readonly note: string;
  readonly operatorId: number | null;
  /** Both sides see it. */
  readonly isShown: boolean;
}

export interface AppealFilter {
  readonly states?: readonly AppealState[] | undefined;
  /** One of the two parties of its deal. */
  readonly userId?: number | undefined;
}

/** Appeals, their evidence and what happened to them. */
export abstract class AppealStore {
  /** False when one of the deal is open, or waits for the ledger. */
  abstract insert(tx: Tx, appeal: Appeal): Promise<boolean>;
  abstract lock(tx: Tx, id: string): Promise<Appeal | null>;
  /** Forgets one of which the ledger has not decided. */
  abstract drop(tx: Tx, id: string): Promise<void>;
  /** The open one of a deal, or the one that waits; locked. */
  abstract lockOfDeal(tx: Tx, dealId: string): Promise<Appeal | null>;
  abstract save(tx: Tx, appeal: Appeal): Promise<void>;
  abstract find(id: string): Promise<Appeal | null>;
  /** Of a deal, the newest first; none that waits for the ledger. */
  abstract listOfDeal(dealId: string): Promise<readonly Appeal[]>;
  /** Those that are due soonest first when they are open, else the newest. */
  abstract list(filter: AppealFilter, page: Page): Promise<Rows<Appeal>>;
  abstract addEvidence(tx: Tx, appealId: string, evidence: Evidence): Promise<void>;
  abstract countEvidence(tx: Tx, appealId: string, side: AppealSide): Promise<EvidenceCount>;
  abstract addEvent(tx: Tx, appealId: string, event: AppealEvent): Promise<void>;
  /** By appeal, the oldest first. */
  abstract listEvidence(ids: readonly string[]): Promise<ReadonlyMap<string, readonly Evidence[]>>;
  abstract listEvents(ids: readonly string[]): Promise<ReadonlyMap<string, readonly AppealEvent[]>>;
  /** How many are open, and how many of them beyond their time. */
  abstract countWork(now: number): Promise<{ readonly open: number; readonly overdue: number }>;
}

/** Public keys that have ever signed transcripts. */
export abstract class TranscriptKeys {
  abstract record(publicKey: string, at: number): Promise<void>;
  /** The newest first. */
  abstract list(): Promise<readonly { readonly publicKey: string; readonly since: number }[]>;
}
