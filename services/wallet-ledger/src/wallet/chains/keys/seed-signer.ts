import { pbkdf2Sync } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { HDKey } from '@scure/bip32';
import { entropyToMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { ChainName } from '@bourse/contract';
import { Signer, type KeyName } from '../application/signer.js';
import { addressOfKey } from '../../shared/domain/address/index.js';
import { CardanoKey } from './cardano-keys.js';

/** Purpose (BIP-44, BIP-84; CIP-1852 for Cardano) and SLIP-44 number of each chain's keys. */
const PATHS: Readonly<Record<ChainName, { readonly purpose: number; readonly coin: number }>> = {
  bitcoin: { purpose: 84, coin: 0 },
  litecoin: { purpose: 84, coin: 2 },
  dogecoin: { purpose: 44, coin: 3 },
  ethereum: { purpose: 44, coin: 60 },
  ripple: { purpose: 44, coin: 144 },
  tron: { purpose: 44, coin: 195 },
  cardano: { purpose: 1852, coin: 1815 },
};
/** Accounts: deposit keys never share a branch with the house's keys. */
const DEPOSITS = 0;
const HOUSE = 1;
/** Indices below this are derived without hardening (BIP-32). */
const INDEX_MAX = 0x7fff_ffff;
/** Parameters by which BIP-39 derives a seed from words. */
const SEED_ROUNDS = 2_048;
const SEED_BYTES = 64;

/** Path of a key: `m/84'/0'/0'/0/7`. @throws RangeError on an index outside BIP-32. */
export function pathOf(chain: ChainName, key: KeyName): string {
  const { purpose, coin } = PATHS[chain];
  const [account, index] = key.kind === 'deposit' ? [DEPOSITS, key.index] : [HOUSE, 0];
  if (!Number.isSafeInteger(index) || index < 0 || index > INDEX_MAX)
    throw new RangeError(`no key has the index ${index}`);
  return `m/${purpose}'/${coin}'/${account}'/0/${index}`;
}

/**
 * Derives all keys from one seed, in the memory of this process. XRP has one address for all people, that of its hot
 * wallet; a tag identifies the person.
 */
export class SeedSigner extends Signer {
  private readonly branches = new Map<string, HDKey>();
  private readonly cardanoBranches = new Map<string, CardanoKey>();
  private constructor(
    private readonly root: HDKey,
    private readonly cardano: CardanoKey,
  ) {
    super();
  }

  /**
   * `entropy`: 16 to 32 bytes, encoded by the BIP-39 words. Cardano derives its keys from it (CIP-3), the others from
   * the seed of the words.
   */
  static async from(entropy: Uint8Array): Promise<SeedSigner> {
    const words = entropyToMnemonic(entropy, wordlist);
    // The seed of BIP-39 without a passphrase: Node computes it in milliseconds, JavaScript in a tenth of a second.
    const seed = pbkdf2Sync(words, 'mnemonic', SEED_ROUNDS, SEED_BYTES, 'sha512');
    return new SeedSigner(HDKey.fromMasterSeed(seed), CardanoKey.fromEntropy(entropy));
  }

  override addressOf(chain: ChainName, key: KeyName): string {
    return addressOfKey(chain, this.publicKey(chain, chain === 'ripple' ? { kind: 'hot' } : key));
  }

  override publicKey(chain: ChainName, key: KeyName): Uint8Array {
    return chain === 'cardano' ? this.ed25519(key).publicKey() : known(this.key(chain, key).publicKey);
  }

  override async sign(
    chain: ChainName,
    key: KeyName,
    digest: Uint8Array,
  ): Promise<{ readonly signature: Uint8Array; readonly recovery: 0 | 1 }> {
    if (chain === 'cardano') return { signature: this.ed25519(key).sign(digest), recovery: 0 };
    const bytes = secp256k1.sign(digest, known(this.key(chain, key).privateKey), {
      prehash: false,
      lowS: true,
      format: 'recovered',
    });
    return { signature: bytes.slice(1), recovery: bytes[0] === 1 ? 1 : 0 };
  }

  /** The branch of a chain and account is derived once, the last step for each key. */
  private key(chain: ChainName, key: KeyName): HDKey {
    const { branch, index } = split(pathOf(chain, key));
    let parent = this.branches.get(branch);
    if (!parent) this.branches.set(branch, (parent = this.root.derive(branch)));
    return parent.deriveChild(index);
  }

  private ed25519(key: KeyName): CardanoKey {
    const { branch, index } = split(pathOf('cardano', key));
    let parent = this.cardanoBranches.get(branch);
    if (!parent) this.cardanoBranches.set(branch, (parent = this.cardano.derivePath(branch)));
    return parent.derive(index);
  }
}

const split = (path: string): { branch: string; index: number } => ({
  branch: path.slice(0, path.lastIndexOf('/')),
  index: Number(path.slice(path.lastIndexOf('/') + 1)),
});

function known(bytes: Uint8Array | null): Uint8Array {
  if (!bytes) throw new Error('invariant: a derived key has no bytes');
  return bytes;
}
