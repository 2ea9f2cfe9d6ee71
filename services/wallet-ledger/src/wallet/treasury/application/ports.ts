import type { Lease } from '@bourse/messaging';
import type { ChainName } from '@bourse/contract';
import type { Signature, SignedPayment } from '../../chains/application/chain.js';
import type { OwnAddress } from '../../chains/application/own-addresses.js';

export interface NewSweep extends OwnAddress {
  readonly chain: ChainName;
  readonly contract: string;
  /** Smallest units. */ readonly amount: bigint;
}
export interface OpenSweep extends NewSweep {
  readonly id: string;
  readonly signatures: readonly Signature[];
}
/**
 * An ended payout without a recorded fee; `txId` of the mined transaction, or of the one that used up its nonce, if
 * there is one (`isMined`). Signatures oldest first.
 */
export interface EndedPayout {
  readonly reference: string;
  readonly isMined: boolean;
  readonly txId: string;
  readonly signatures: readonly { readonly txId: string; readonly networkFee: bigint }[];
}
export interface NetworkFee {
  readonly chain: ChainName;
  readonly txId: string;
  readonly reference: string;
  readonly amount: bigint;
}
/** A part of a chain's fees that is being booked. `amount` as the ledger writes it. */
export interface FeeBooking {
  readonly chain: ChainName;
  readonly number: number;
  readonly currencyId: number;
  /** House account, with its partition. */ readonly account: string;
  readonly partition: number;
  readonly amount: string;
}

/** Tables of movements between our own wallets and of the networks' fees. */
export abstract class TreasuryStore {
  abstract open(chain: ChainName): Promise<readonly OpenSweep[]>;
  /**
   * Stores a sweep with its signature before it may be sent. Throws when the lease is lost or another sweep of this
   * address is open.
   */
  abstract create(lease: Lease, sweep: NewSweep, signature: SignedPayment): Promise<void>;
  abstract raise(lease: Lease, id: string, signature: Omit<Signature, 'at'>): Promise<void>;
  /** Ends a sweep once, with the fee of its transaction. */
  abstract end(lease: Lease, id: string, state: 'done' | 'failed', fee: NetworkFee): Promise<void>;

  /** Deposit addresses whose last movement of this contract failed less than `forMs` ago. */
  abstract failedOf(chain: ChainName, contract: string, forMs: number): Promise<ReadonlySet<string>>;

  abstract unpaid(chain: ChainName): Promise<readonly EndedPayout[]>;
  abstract addFee(lease: Lease, fee: NetworkFee): Promise<void>;
  /** Total fees of a network so far, smallest units. */
  abstract feesOf(chain: ChainName): Promise<bigint>;
  /** The fees booked or requested so far, decimal text, and the booking that has no answer yet. */
  abstract booked(chain: ChainName): Promise<{
    readonly amount: string;
    readonly asked: FeeBooking | null;
    readonly last: { readonly number: number; readonly refusedAt: number | null };
  }>;
  abstract book(lease: Lease, booking: FeeBooking): Promise<void>;
  abstract settleBooking(lease: Lease, booking: FeeBooking, state: 'booked' | 'refused'): Promise<void>;
}
