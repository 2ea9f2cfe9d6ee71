import { randomBytes } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { CHAINS } from '@bourse/contract';
import { addressOfKey, isAddress } from '../../shared/domain/address/index.js';
import { CardanoKey } from './cardano-keys.js';
import { isCurrent, keyIdOf, open, seal, WrongKey } from './seal.js';
import { pathOf, SeedSigner } from './seed-signer.js';

// The library that ours is compared with is slow.
jest.setTimeout(60_000);

/** `thirty-two bytes of a wallet seed` as the first form sealed it. */
const FIRST_FORM =
  'AUBxVPAknOSmaQ0l50qxS32ocbQQbWvUkQjfyqgcyASU0q/eJaPwjY56OFXGJFy4kXI/CcxNFMu+5Zv14FYESL0Y1RNavN31JT814XCL';
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
    // Words of the tests of cardano-serialization-lib: path 1852'/1815'/0'/0/0 is the payment key of CIP-19, whose
    // address without a stake part is its type 6.
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

  test('a signature has a low s, and its key can be recovered from it [CHAIN-006]', async () => {
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
  const SECRET = 'a secret of the operator';
  const CHEAP = { logN: 12, r: 8, p: 1 };
  const content = Buffer.from('thirty-two bytes of a wallet seed');

  test('opens under its own secret, for its own purpose, unchanged [CHAIN-007]', async () => {
    const sealed = await seal(SECRET, 'seed', content, CHEAP);
    expect((await open(SECRET, 'seed', sealed)).equals(content)).toBe(true);
    expect(sealed.includes(content)).toBe(false);
    await expect(open('another secret', 'seed', sealed)).rejects.toThrow(WrongKey);
    await expect(open(SECRET, 'other', sealed)).rejects.toThrow(WrongKey);
    for (const at of [0, 1, 2, 3, 5, 20, 35, 50, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(open(SECRET, 'seed', changed)).rejects.toThrow(WrongKey);
    }
    expect((await seal(SECRET, 'seed', content, CHEAP)).equals(sealed)).toBe(false);
  });

  test('costs a guess 128 MB, and names its key without helping to guess it [HARD-203]', async () => {
    const started = performance.now();
    const sealed = await seal(SECRET, 'seed', content);
    expect([...sealed.subarray(0, 4)]).toEqual([2, 17, 8, 1]);
    // Far below the time on any current machine, and a thousand times that of HKDF.
    expect(performance.now() - started).toBeGreaterThan(20);
    expect(isCurrent(sealed)).toBe(true);
    expect(isCurrent(await seal(SECRET, 'seed', content, CHEAP))).toBe(false);
    expect(keyIdOf(sealed)).toMatch(/^[0-9a-f]{16}$/);
    // Under another salt the same secret has another id: two sealed texts do not reveal that they share it.
    expect(keyIdOf(await seal(SECRET, 'seed', content, CHEAP))).not.toBe(keyIdOf(sealed));
  });

  test('a text that asks for a cost of its own choice is none of ours [HARD-203]', async () => {
    for (const [at, value] of [
      [1, 30],
      [1, 1],
      [2, 255],
      [3, 200],
    ] as const) {
      const sealed = await seal(SECRET, 'seed', content, CHEAP);
      sealed[at] = value;
      await expect(open(SECRET, 'seed', sealed)).rejects.toThrow('not a sealed content');
    }
  });

  test('the first form still opens [HARD-203]', async () => {
    // Sealed by the code before scrypt, under this secret and purpose.
    const sealed = Buffer.from(FIRST_FORM, 'base64');
    expect((await open(SECRET, 'seed', sealed)).equals(content)).toBe(true);
    expect(isCurrent(sealed)).toBe(false);
    expect(keyIdOf(sealed)).toBe('');
    await expect(open('another secret', 'seed', sealed)).rejects.toThrow(WrongKey);
  });
});
