import type { Tx } from '@bourse/persistence';

/** A withdrawal address that a person has bound. Times are business ms. */
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
/** What a person's bindings of a coin say about one destination (rules §8.5). */
export interface BindingState {
  /** Bound now, or when the last one was removed; null: never bound, or all removed longer ago than asked. */
  readonly restricted: boolean;
  /** When the destination may be used; null: it is not bound. */ readonly usableAt: number | null;
}

/** Table of bound addresses and of the middleware's used signatures. */
export abstract class AddressStore {
  /** Binds it, or gives the binding there is already. */
  abstract bind(tx: Tx, bound: NewBound): Promise<{ readonly id: number; readonly usableAt: number }>;
  /** False: no such address of this person. */
  abstract remove(userId: number, id: number, at: number): Promise<boolean>;
  /** Newest first. */
  abstract list(userId: number, currencyId: number): Promise<readonly BoundRow[]>;
  /** `removedSince`: an address removed after this still restricts the coin. */
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
  /** False: this signature was seen before. */
  abstract useSignature(signature: string): Promise<boolean>;
}
