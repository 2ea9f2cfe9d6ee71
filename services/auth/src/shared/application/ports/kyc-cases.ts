import type { Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { Sql } from './database.js';

/** Documents of one identity check. Pictures are names of uploads. */
export interface KycDocuments {
  readonly frontPic: string;
  readonly reversePic: string;
  readonly handPic: string;
}
/** One identity check with the person. */
export interface KycCase extends KycDocuments {
  readonly userId: number;
  readonly accountNumber: string;
  readonly email: string;
  readonly phone: string;
  readonly nationality: string;
  readonly name: string;
  readonly cardSealed: string;
  readonly reviewStatus: 0 | 1 | 2;
  readonly reviewReason: string;
  readonly submittedAt: number | null;
  readonly decidedAt: number | null;
}
/** Filter of identity checks; an absent field does not filter. */
export interface KycFilter {
  readonly reviewStatus?: 0 | 1 | 2 | undefined;
  readonly userId?: number | undefined;
}

/** Identity checks and their decisions. */
export abstract class KycCases {
  /** Review status 0 → 1 with name, number and pictures; false when it is not 0 any more. */
  abstract submit(
    tx: Tx,
    userId: number,
    identity: KycDocuments & { readonly name: string; readonly cardId: string },
    now: number,
  ): Promise<boolean>;
  /** Review status 1 → 2, or 1 → 0 with a reason for the person; false when it is not 1. */
  abstract decide(
    tx: Tx,
    userId: number,
    decision: { readonly pass: boolean; readonly reason: string },
    now: number,
  ): Promise<boolean>;
  /** When the documents of a person were submitted last, business time, ms; null: never. */
  abstract submittedAt(sql: Sql, userId: number): Promise<number | null>;
  /** Ids of the other accounts with this id number, ignoring blanks and case [HARD-501]. */
  abstract sameCard(sql: Sql, userId: number, cardId: string): Promise<readonly number[]>;
  /** People who ever submitted documents, the longest waiting first, decided ones newest first. */
  abstract list(
    sql: Sql,
    filter: KycFilter,
    page: { readonly size: number; readonly offset: number },
  ): Promise<Rows<KycCase>>;
}
