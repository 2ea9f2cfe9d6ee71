import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { computeAddress } from 'ethers';
import { networks, payments, type Network } from 'bitcoinjs-lib';
import type { ChainName } from '@bourse/contract';
import { Signer, type KeyName } from '../../src/application/chain/signer.js';

/** The phrase of the published BIP-84 test vectors. Nothing real was ever kept under it. */
const PHRASE = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

/** Keys as the built-in signer derives them, for tests: `addresses` says how a chain writes the address of a public key. */
export class TestSigner extends Signer {
  private readonly root = HDKey.fromMasterSeed(mnemonicToSeedSync(PHRASE));
  constructor(private readonly addresses: (chain: ChainName, publicKey: Uint8Array) => string = (_, key) => computeAddress(`0x${Buffer.from(key).toString('hex')}`)) { super(); }

  override addressOf(chain: ChainName, key: KeyName): string { return this.addresses(chain, this.publicKey(chain, key)); }
  override publicKey(chain: ChainName, key: KeyName): Uint8Array { return this.key(chain, key).publicKey!; }
  override async sign(chain: ChainName, key: KeyName, digest: Uint8Array): Promise<{ signature: Uint8Array; recovery: 0 | 1 }> {
    const bytes = secp256k1.sign(digest, this.key(chain, key).privateKey!, { prehash: false, format: 'recovered' });
    return { signature: bytes.subarray(1), recovery: bytes[0] as 0 | 1 };
  }

  private key(chain: ChainName, key: KeyName): HDKey { return this.root.derive(PATHS[chain] + (key.kind === 'hot' ? '/1/0' : `/0/${key.index}`)); }
}

const PATHS: Readonly<Record<string, string>> = { bitcoin: "m/84'/0'/0'", litecoin: "m/84'/2'/0'", dogecoin: "m/44'/3'/0'", ethereum: "m/44'/60'/0'" };
export const witnessAddress = (network: Network = networks.bitcoin) => (_: ChainName, pubkey: Uint8Array): string => payments.p2wpkh({ pubkey, network }).address!;
