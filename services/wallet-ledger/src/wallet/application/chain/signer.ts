import type { ChainName } from '@bourse/contract';

/**
 * Which key: that of a person's deposit address (`index` is the number the address was given out under), or of the
 * wallets of the house. Cold keys are never here: only their addresses are known.
 */
export type KeyName = { readonly kind: 'deposit'; readonly index: number } | { readonly kind: 'hot' };

/**
 * Keys of the exchange. Private keys never leave it: who needs a signature hands over the digest. The built-in one
 * derives them from one seed (BIP-32, SLIP-44 coin types) that lies encrypted under `WALLET_KEY_SECRET`; a hardware or
 * remote signer takes its place by this port.
 */
export abstract class Signer {
  /** Address on a chain, as its wallets write it. */
  abstract addressOf(chain: ChainName, key: KeyName): string;
  /** Compressed public key of a secp256k1 chain. */
  abstract publicKey(chain: ChainName, key: KeyName): Uint8Array;
  /** Signs a 32-byte digest (secp256k1, low s). Returns r and s, 64 bytes, and the recovery bit. */
  abstract sign(
    chain: ChainName,
    key: KeyName,
    digest: Uint8Array,
  ): Promise<{ readonly signature: Uint8Array; readonly recovery: 0 | 1 }>;
}
