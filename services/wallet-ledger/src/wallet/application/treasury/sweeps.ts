import type { SignedPayment } from '../chain/chain.js';
import type { KeyName } from '../chain/signer.js';

/** A movement between two wallets of the house. `all`: whatever is there, less the network's fee if it is the coin. */
export interface Move {
  readonly from: KeyName;
  readonly to: string;
  readonly contract: string;
  readonly amount: bigint | 'all';
}
export interface SignedMove extends SignedPayment {
  readonly amount: bigint;
}

/**
 * What a chain of accounts can do beyond payments: on it every deposit address holds its own money, and somebody has to
 * fetch it. Chains of outputs need none of this: their payments spend the outputs of all our addresses.
 */
export abstract class Sweeps {
  /** Address of the hot wallet. */
  abstract readonly hotAddress: string;
  abstract addressOf(from: KeyName): string;
  /**
   * What addresses hold of the coin (`contract` empty) or a token, smallest units, in their order: now, and `depth`
   * blocks ago already.
   */
  abstract balancesOf(addresses: readonly string[], contract: string, depth?: number): Promise<readonly bigint[]>;
  /** The most that a movement of a token (or the coin) costs at today's price. Smallest units of the coin. */
  abstract costOfMove(contract: string): Promise<bigint>;
  /**
   * Signs without sending; `reserved` as in `Chain.sign`. Throws `HotWalletShort` when the address cannot pay for it.
   */
  abstract signMove(move: Move, reserved: ReadonlySet<string>): Promise<SignedMove>;
  /** The same movement at a higher price, with the same nonce. */
  abstract raiseMove(from: KeyName, signed: SignedPayment): Promise<SignedPayment>;
  /** What the network took for a mined transaction; null while it is not mined. */
  abstract feePaid(txId: string): Promise<bigint | null>;
}

/** The movements that a chain allows; none where they are not needed. */
export const sweepsOf = (chain: object): Sweeps | null =>
  'sweeps' in chain && chain.sweeps instanceof Sweeps ? chain.sweeps : null;
