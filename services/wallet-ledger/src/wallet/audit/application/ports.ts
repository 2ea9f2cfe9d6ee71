import type { AuditedAdjustment, AuditedDeposit, AuditedWithdrawal, PayoutState } from '../domain/wallet-audit.js';

/** A row of a journal, as stored. */
export interface JournalLines {
  readonly id: string;
  readonly owner: number;
  readonly entries: readonly (readonly [
    account: string,
    currency: number,
    state: 'a' | 'h',
    amount: string,
    ...rest: unknown[],
  ])[];
}
interface WithJournals {
  readonly id: string;
  readonly journals: readonly JournalLines[];
}
/** Amounts as decimal text. */
type Texts<T> = { readonly [K in keyof T]: T[K] extends bigint ? string : T[K] };
export type DepositToAudit = WithJournals &
  Omit<Texts<AuditedDeposit>, 'owned'> & { readonly userId: number | null; readonly payout: PayoutState | null };
export type WithdrawalToAudit = WithJournals &
  Omit<Texts<AuditedWithdrawal>, 'gone'> & {
    readonly userId: number;
    readonly chainScale: number;
    readonly payout: PayoutState | null;
    readonly payoutAmount: string | null;
  };
export type AdjustmentToAudit = WithJournals & Texts<AuditedAdjustment> & { readonly userId: number | null };
/** Journals of a cause whose object does not exist. */
export interface Orphan extends WithJournals {
  readonly causeType: string;
}

/** Messages between the wallet and the ledger's writers that are not applied yet. */
export interface UnderWay {
  /** `deposit 42`, `withdrawal 7`. */
  readonly causes: ReadonlySet<string>;
  /** Their future changes of `h.suspense`, decimal text by currency. */
  readonly suspense: readonly { readonly currency: number; readonly amount: string }[];
}

/** One snapshot of the wallet's tables and of their journals. Each walk returns rows after a cursor, in its order. */
export interface WalletSnapshot {
  underWay(): Promise<UnderWay>;
  /** Differences between waiting withdrawals and the holds with money. */
  holdMismatches(): Promise<
    readonly { readonly id: string; readonly asked: string | null; readonly held: string | null }[]
  >;
  /** By currency: the balance of `h.suspense`, and the sum of held deposits. */
  suspense(): Promise<readonly { readonly currency: number; readonly suspense: string; readonly deposits: string }[]>;
  deposits(after: string, max: number): Promise<readonly DepositToAudit[]>;
  withdrawals(after: string, max: number): Promise<readonly WithdrawalToAudit[]>;
  adjustments(after: string, max: number): Promise<readonly AdjustmentToAudit[]>;
  /**
   * Journals of deposits, withdrawals and adjustments, by cause: those whose object does not exist. `last` is the
   * walk's cursor; null: the end.
   */
  orphans(
    after: readonly [causeType: string, causeId: string],
    max: number,
  ): Promise<{
    readonly orphans: readonly Orphan[];
    readonly last: readonly [causeType: string, causeId: string] | null;
  }>;
  /** The first payout whose signatures and spends do not match, as a sentence. `last` as above. */
  payouts(after: string, max: number): Promise<{ readonly fault: string | null; readonly last: string | null }>;
}
export abstract class WalletAuditReads {
  abstract inSnapshot<T>(look: (snapshot: WalletSnapshot) => Promise<T>): Promise<T>;
}
