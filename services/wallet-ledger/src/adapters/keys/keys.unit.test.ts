import { randomBytes } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { CHAINS } from '@bourse/contract';
import { addressOfKey, isAddress } from '../../domain/address/index.js';
import { CardanoKey } from './cardano-keys.js';
import { open, seal, WrongKey } from './seal.js';
import { pathOf, SeedSigner } from './seed-signer.js';

// The library that ours is compared with is slow.
jest.setTimeout(60_000);

/** Words that many specifications take their examples from. */
const ABANDON = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

describe('keys from one seed', () => {
  let signer: SeedSigner;
  beforeAll(async () => {
    signer = await SeedSigner.from(mnemonicToEntropy(ABANDON, wordlist));
  });

  test.each([
    ['bitcoin', 0, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'BIP-84, test vectors'],
    ['bitcoin', 1, 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g', 'BIP-84, test vectors'],
    [
      'ethereum',
      0,
      '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
      'the first account of every BIP-44 wallet for these words',
    ],
    ['litecoin', 0, 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh', 'BIP-84 with coin type 2'],
    ['dogecoin', 0, 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC', 'BIP-44 with coin type 3'],
    ['tron', 0, 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', 'BIP-44 with coin type 195'],
    ['ripple', 0, 'rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3', 'BIP-44 with coin type 144'],
  ] as const)('%s: deposit key %i is that of %s (%s) [CHAIN-005]', (chain, index, address, _source) => {
    const key = { kind: 'deposit', index } as const;
    expect(addressOfKey(chain, signer.publicKey(chain, key))).toBe(address);
    // Of XRP people have tags, not keys.
    expect(signer.addressOf(chain, key) === address).toBe(chain !== 'ripple');
  });

  test('Cardano: keys are those of CIP-1852 from the words themselves [CHAIN-005]', async () => {
    // Words of the tests of cardano-serialization-lib: path 1852'/1815'/0'/0/0 is the payment key of CIP-19, whose address without a stake part is its type 6.
    const words = 'test walk nut penalty hip pave soap entry language right filter choice';
    const other = await SeedSigner.from(mnemonicToEntropy(words, wordlist));
    expect(other.addressOf('cardano', { kind: 'deposit', index: 0 })).toBe(
      'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
    );
    const digest = new Uint8Array(32).fill(7);
    const { signature } = await other.sign('cardano', { kind: 'hot' }, digest);
    expect(ed25519.verify(signature, digest, other.publicKey('cardano', { kind: 'hot' }))).toBe(true);
  });

  test('Cardano: every key and signature is the one that the library of the field makes [CHAIN-005]', async () => {
    const { default: library } = await import('@stricahq/bip32ed25519');
    for (let round = 0; round < 3; round++) {
      const entropy = randomBytes(32);
      const [ours, theirs] = [CardanoKey.fromEntropy(entropy), await library.Bip32PrivateKey.fromEntropy(entropy)];
      for (const path of [
        "m/1852'/1815'/0'/0/0",
        "m/1852'/1815'/1'/0/0",
        `m/1852'/1815'/0'/0/${round * 70_001 + 3}`,
        "m/7/8'/2147483647",
      ]) {
        const [own, known] = [ours.derivePath(path), theirs.derivePath(path)];
        expect(Buffer.from(own.publicKey()).toString('hex')).toBe(
          Buffer.from(known.toBip32PublicKey().toPublicKey().toBytes()).toString('hex'),
        );
        const message = randomBytes(32);
        expect(Buffer.from(own.sign(message)).toString('hex')).toBe(
          Buffer.from(known.toPrivateKey().sign(message)).toString('hex'),
        );
      }
    }
  });

  test('no two people and no wallet of the house share an address; all people share that of XRP [CHAIN-005]', () => {
    for (const chain of CHAINS) {
      const addresses = [
        signer.addressOf(chain, { kind: 'hot' }),
        ...[0, 1, 2].map((index) => signer.addressOf(chain, { kind: 'deposit', index })),
      ];
      expect(addresses.every((address) => isAddress(chain, address))).toBe(true);
      expect(new Set(addresses).size).toBe(chain === 'ripple' ? 1 : 4);
    }
    expect(pathOf('bitcoin', { kind: 'hot' })).toBe("m/84'/0'/1'/0/0");
    for (const index of [-1, 1.5, 2 ** 31])
      expect(() => pathOf('bitcoin', { kind: 'deposit', index })).toThrow(RangeError);
  });

  test('a signature has a low s, and gives back the key it was made with [CHAIN-006]', async () => {
    const key = { kind: 'deposit', index: 5 } as const;
    for (let round = 0; round < 8; round++) {
      const digest = new Uint8Array(32).fill(round + 1);
      const { signature, recovery } = await signer.sign('ethereum', key, digest);
      expect(
        secp256k1.verify(signature, digest, signer.publicKey('ethereum', key), { prehash: false, lowS: true }),
      ).toBe(true);
      expect(
        secp256k1.Signature.fromBytes(signature, 'compact')
          .addRecoveryBit(recovery)
          .recoverPublicKey(digest)
          .toBytes(true),
      ).toEqual(signer.publicKey('ethereum', key));
    }
  });
});

describe('the seal', () => {
  test('opens under its own secret, for its own purpose, unchanged [CHAIN-007]', () => {
    const content = Buffer.from('thirty-two bytes of a wallet seed');
    const sealed = seal('a secret of the operator', 'seed', content);
    expect(open('a secret of the operator', 'seed', sealed).equals(content)).toBe(true);
    expect(sealed.includes(content)).toBe(false);
    expect(() => open('another secret', 'seed', sealed)).toThrow(WrongKey);
    expect(() => open('a secret of the operator', 'other', sealed)).toThrow(WrongKey);
    for (const at of [0, 5, 20, 35, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => open('a secret of the operator', 'seed', changed)).toThrow(WrongKey);
    }
    expect(seal('a secret of the operator', 'seed', content).equals(sealed)).toBe(false);
  });
});
