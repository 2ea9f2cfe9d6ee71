import type { Params, Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { Appeal, AppealSide, AppealState, EvidenceCount } from '../domain/appeal.js';
import type { Page } from '@bourse/platform';

/** A piece of evidence: words, a picture, or both. */
export interface Evidence {
  readonly by: AppealSide;
  readonly text: string;
  /** Name of a picture; empty: no picture. */
  readonly picture: string;
  readonly at: number;
}
/** An event in the timeline of an appeal. */
export interface AppealEvent {
  readonly at: number;
  /** Key of a text of the exchange; empty: the event consists of `note`. */
  readonly key: string;
  readonly params: Params;
  /** Words of an operator, only for operators. */
  readonly note: string;
  readonly operatorId: number | null;
  /** Both sides see the event. */
  readonly isShown: boolean;
}

export interface AppealFilter {
  readonly states?: readonly AppealState[] | undefined;
  /** One of the two parties of the deal. */
  readonly userId?: number | undefined;
}

/** Appeals with their evidence and events. */
export abstract class AppealStore {
  /** False when an appeal of the deal is open or waits for the ledger. */
  abstract insert(tx: Tx, appeal: Appeal): Promise<boolean>;
  abstract lock(tx: Tx, id: string): Promise<Appeal | null>;
  /** Deletes an appeal that the ledger has not decided. */
  abstract drop(tx: Tx, id: string): Promise<void>;
  /** Locks the open or waiting appeal of a deal. */
  abstract lockOfDeal(tx: Tx, dealId: string): Promise<Appeal | null>;
  abstract save(tx: Tx, appeal: Appeal): Promise<void>;
  abstract find(id: string): Promise<Appeal | null>;
  /** Appeals of a deal, newest first, without one that waits for the ledger. */
  abstract listOfDeal(dealId: string): Promise<readonly Appeal[]>;
  /** Counts all appeals that a side has opened on a deal, also one that waits for the ledger. */
  abstract countOfSide(tx: Tx, dealId: string, side: AppealSide): Promise<number>;
  /** Open ones by their due time, otherwise newest first. */
  abstract list(filter: AppealFilter, page: Page): Promise<Rows<Appeal>>;
  abstract addEvidence(tx: Tx, appealId: string, evidence: Evidence): Promise<void>;
  abstract countEvidence(tx: Tx, appealId: string, side: AppealSide): Promise<EvidenceCount>;
  abstract addEvent(tx: Tx, appealId: string, event: AppealEvent): Promise<void>;
  /** By appeal, oldest first. */
  abstract listEvidence(ids: readonly string[]): Promise<ReadonlyMap<string, readonly Evidence[]>>;
  abstract listEvents(ids: readonly string[]): Promise<ReadonlyMap<string, readonly AppealEvent[]>>;
  /** Counts open appeals, and the overdue ones among them. */
  abstract countWork(now: number): Promise<{ readonly open: number; readonly overdue: number }>;
}

/** All public keys that have signed transcripts. */
export abstract class TranscriptKeys {
  abstract record(publicKey: string, at: number): Promise<void>;
  /** Newest first. */
  abstract list(): Promise<readonly { readonly publicKey: string; readonly since: number }[]>;
}
