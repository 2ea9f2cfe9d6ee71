import { createDecipheriv, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config, DataSeal, keyIdOf } from '@bourse/platform';
import { Seal, type SealPurpose } from '../application/ports/seal.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * `DataSeal` under `DATA_KEYS`, or under the pepper if there are none. Also opens texts that an earlier release sealed
 * under a pepper without naming it.
 */
@Injectable()
export class AesSeal extends Seal {
  private readonly seals: DataSeal;
  private readonly peppers: readonly string[];
  private readonly keys = new Map<string, Buffer>();

  constructor({ dataKeys, passwordPepper, passwordPeppersOld }: Config) {
    super();
    this.peppers = [passwordPepper, ...passwordPeppersOld];
    this.seals = new DataSeal(dataKeys, this.peppers);
  }

  seal(purpose: SealPurpose, text: string, context = ''): string {
    return this.seals.sealText(purpose, text, context);
  }

  open(purpose: SealPurpose, sealed: string, context = ''): string {
    return keyIdOf(sealed) === null ? this.openEarlier(purpose, sealed) : this.seals.openText(purpose, sealed, context);
  }

  isCurrent(sealed: string): boolean {
    return keyIdOf(sealed) === this.seals.newest;
  }

  get prefix(): string {
    return `v1.${this.seals.newest}.`;
  }

  marks(purpose: SealPurpose, text: string): string[] {
    return this.seals.marks(purpose, text);
  }

  /** Opens nonce, tag and content by trying every pepper. */
  private openEarlier(purpose: SealPurpose, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    let fault: unknown;
    for (const pepper of this.peppers) {
      const decipher = createDecipheriv('aes-256-gcm', this.key(pepper, purpose), bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      try {
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
          'utf8',
        );
      } catch (error) {
        fault = error; // perhaps the next pepper's
      }
    }
    throw fault;
  }

  private key(pepper: string, purpose: SealPurpose): Buffer {
    const name = `${purpose} ${pepper}`;
    const known = this.keys.get(name);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', pepper, '', `bourse ${purpose}`, 32));
    this.keys.set(name, key);
    return key;
  }
}
