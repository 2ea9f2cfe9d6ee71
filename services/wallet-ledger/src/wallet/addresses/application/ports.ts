import type { Tx } from '@bourse/persistence';

/** A withdrawal address bound by a person. Times are business ms. */
export interface BoundRow {
  readonly id: number;
  readonly currencyId: number;
  readonly networkId: number;
  readonly address: string;
  readonly memo: string;
  readonly createdAt: number;
  readonly usableAt: number;
}
export type NewBound = Omit<BoundRow, 'id'> & { readonly userId: number };
/** A person's bindings of a coin with regard to one destination (rules §8.5). */
export interface BindingState {
  /**
   * Whether the coin is restricted to bound addresses: one is bound now, or the last was removed after the given time.
   */
  readonly restricted: boolean;
  /** Time from which the destination may be used; null: it is not bound. */ readonly usableAt: number | null;
}

/** Table of bound addresses and of the middleware's used signatures. */
export abstract class AddressStore {
  /** Binds the address, or returns the existing binding. */
  abstract bind(tx: Tx, bound: NewBound): Promise<{ readonly id: number; readonly usableAt: number }>;
  /** False: the person has no such address. */
  abstract remove(userId: number, id: number, at: number): Promise<boolean>;
  /** Newest first. */
  abstract list(userId: number, currencyId: number): Promise<readonly BoundRow[]>;
  /** `removedSince`: an address removed after this time still restricts the coin. */
  abstract state(
    userId: number,
    destination: {
      readonly currencyId: number;
      readonly networkId: number;
      readonly address: string;
      readonly memo: string;
    },
    removedSince: number,
  ): Promise<BindingState>;
  /** False: the signature was used before. */
  abstract useSignature(signature: string): Promise<boolean>;
}
