import type { AuditedAdjustment, AuditedDeposit, AuditedWithdrawal, PayoutState } from '../../domain/wallet-audit.js';

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
/** Journals of a cause whose object is not there. */
export interface Orphan extends WithJournals {
  readonly causeType: string;
}

/** What the wallet has sent to the ledger's writers, or they to it, and nobody has applied yet. */
export interface UnderWay {
  /** `deposit 42`, `withdrawal 7`. */
  readonly causes: ReadonlySet<string>;
  /** What of it will change `h.suspense`, decimal text by currency. */
  readonly suspense: readonly { readonly currency: number; readonly amount: string }[];
}

/** One instant of the wallet's tables and of the journals under them. Walks take rows behind a place, in its order. */
export interface WalletSnapshot {
  underWay(): Promise<UnderWay>;
  /** Withdrawals that wait and holds that keep their money, where the two differ. */
  holdMismatches(): Promise<
    readonly { readonly id: string; readonly asked: string | null; readonly held: string | null }[]
  >;
  /** By currency: what `h.suspense` has, and what is held of deposits. */
  suspense(): Promise<readonly { readonly currency: number; readonly suspense: string; readonly deposits: string }[]>;
  deposits(after: string, max: number): Promise<readonly DepositToAudit[]>;
  withdrawals(after: string, max: number): Promise<readonly WithdrawalToAudit[]>;
  adjustments(after: string, max: number): Promise<readonly AdjustmentToAudit[]>;
  /**
   * Journals of deposits, withdrawals and movements by two people, by cause: those whose object is not there. `last` is
   * where the walk has come to; null: the end.
   */
  orphans(
    after: readonly [causeType: string, causeId: string],
    max: number,
  ): Promise<{
    readonly orphans: readonly Orphan[];
    readonly last: readonly [causeType: string, causeId: string] | null;
  }>;
  /** Payouts whose signatures and spends do not fit: the first, as a sentence. `last` as above. */
  payouts(after: string, max: number): Promise<{ readonly fault: string | null; readonly last: string | null }>;
}
export abstract class WalletAuditReads {
  abstract inSnapshot<T>(look: (snapshot: WalletSnapshot) => Promise<T>): Promise<T>;
}
