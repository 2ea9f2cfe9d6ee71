import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';

const HARDENED = 0x8000_0000;
const ROUNDS = 4_096;
const ORDER = ed25519.Point.Fn.ORDER;

/**
 * An extended ed25519 key and its chain code: BIP32-Ed25519 (Khovratovich, Law), with the master key of CIP-3 (Icarus).
 * Implemented here over the curve that is loaded anyway: the library for it brings a second curve library and takes a
 * tenth of a second per key. A test compares both.
 */
export class CardanoKey {
  private constructor(
    private readonly left: bigint,
    private readonly right: Uint8Array,
    private readonly chainCode: Uint8Array,
  ) {}

  /** `entropy`: the entropy encoded by the BIP-39 words. */
  static fromEntropy(entropy: Uint8Array): CardanoKey {
    const bytes = pbkdf2Sync('', entropy, ROUNDS, 96, 'sha512');
    bytes[0] = (bytes[0] ?? 0) & 0xf8;
    bytes[31] = ((bytes[31] ?? 0) & 0x1f) | 0x40;
    return new CardanoKey(numberOf(bytes.subarray(0, 32)), bytes.subarray(32, 64), bytes.subarray(64));
  }

  /** Key at the end of a path: `m/1852'/1815'/0'/0/7`. */
  derivePath(path: string): CardanoKey {
    return path
      .split('/')
      .slice(1)
      .reduce(
        (key: CardanoKey, step) => key.derive(step.endsWith("'") ? Number(step.slice(0, -1)) + HARDENED : Number(step)),
        this,
      );
  }

  derive(index: number): CardanoKey {
    const isHardened = index >= HARDENED;
    const place = Buffer.alloc(4);
    place.writeUInt32LE(index);
    const content = isHardened ? Buffer.concat([bytesOf(this.left), this.right]) : this.publicKey();
    const [forKey, forChain] = (isHardened ? [0x00, 0x01] : [0x02, 0x03]).map((tag) =>
      createHmac('sha512', this.chainCode).update(Buffer.of(tag)).update(content).update(place).digest(),
    ) as [Buffer, Buffer];
    const right = (numberOf(this.right) + numberOf(forKey.subarray(32))) % (1n << 256n);
    return new CardanoKey(this.left + 8n * numberOf(forKey.subarray(0, 28)), bytesOf(right), forChain.subarray(32));
  }

  publicKey(): Uint8Array {
    return ed25519.Point.BASE.multiply(this.left % ORDER).toBytes();
  }

  /** 64 bytes, as ed25519 verifies them. */
  sign(message: Uint8Array): Uint8Array {
    const publicKey = this.publicKey();
    const nonce = hashed(this.right, message);
    const point = ed25519.Point.BASE.multiply(nonce).toBytes();
    return Uint8Array.of(...point, ...bytesOf((nonce + hashed(point, publicKey, message) * this.left) % ORDER));
  }
}

/** Little endian, as ed25519 writes numbers. */
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const bytesOf = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
const hashed = (...parts: readonly Uint8Array[]): bigint =>
  numberOf(createHash('sha512').update(Buffer.concat(parts)).digest()) % ORDER;
