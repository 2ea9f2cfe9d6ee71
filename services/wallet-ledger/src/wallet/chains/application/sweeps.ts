import type { SignedPayment } from './chain.js';
import type { KeyName } from './signer.js';

/** A movement between two wallets of the house. `all`: the whole balance, less the network's fee if it is the coin. */
export interface Move {
  readonly from: KeyName;
  readonly to: string;
  readonly contract: string;
  readonly amount: bigint | 'all';
  /** Whether it is signed although the chain would refuse it now; absent: it is not. */
  readonly mayFail?: boolean;
}
export interface SignedMove extends SignedPayment {
  readonly amount: bigint;
}

/**
 * Movements on an account chain beyond payments: there every deposit address has its own balance, which must be swept.
 * UTXO chains do not need them: their payments spend the outputs of all our addresses.
 */
export abstract class Sweeps {
  /** Address of the hot wallet. */
  abstract readonly hotAddress: string;
  abstract addressOf(from: KeyName): string;
  /**
   * Balances of addresses in the coin (`contract` empty) or a token, smallest units, in their order: the amount that is
   * there now and was there `depth` blocks ago.
   */
  abstract balancesOf(addresses: readonly string[], contract: string, depth?: number): Promise<readonly bigint[]>;
  /** Maximum cost of a movement of a token (or the coin) at the current gas price. Smallest units of the coin. */
  abstract costOfMove(contract: string): Promise<bigint>;
  /**
   * Signs without sending; `reserved` as in `Chain.sign`. Throws `HotWalletShort` when the address cannot pay for it,
   * and `FeeAboveLimit`.
   */
  abstract signMove(move: Move, reserved: ReadonlySet<string>): Promise<SignedMove>;
  /** The same movement at a higher price, with the same nonce. Throws as `signMove`. */
  abstract raiseMove(from: KeyName, signed: SignedPayment): Promise<SignedPayment>;
  /** The network's fee for a mined transaction; null while it is not mined. */
  abstract feePaid(txId: string): Promise<bigint | null>;
}

/** The movements that a chain supports; null if it does not need them. */
export const sweepsOf = (chain: object): Sweeps | null =>
  'sweeps' in chain && chain.sweeps instanceof Sweeps ? chain.sweeps : null;
