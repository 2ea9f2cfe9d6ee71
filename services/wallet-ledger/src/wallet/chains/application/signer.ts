import type { ChainName } from '@bourse/contract';

/**
 * Name of a key: that of a person's deposit address (`index` is the address's number), or that of the house's hot
 * wallet. Cold keys are never here: only their addresses are known.
 */
export type KeyName = { readonly kind: 'deposit'; readonly index: number } | { readonly kind: 'hot' };

/**
 * Keys of the exchange. Private keys never leave it: callers pass a digest and get a signature. The built-in
 * implementation derives the keys from one seed (BIP-32, SLIP-44 coin types), stored encrypted under
 * `WALLET_KEY_SECRET`; a hardware or remote signer can replace it behind this port.
 */
export abstract class Signer {
  /** Address on a chain, in the form of its wallets. */
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
