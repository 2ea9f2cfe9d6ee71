import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '@bourse/platform';
import { Seal, type SealPurpose } from '../../application/ports.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under a key of the pepper and the purpose: nonce, tag, text. A leaked table alone says nothing. */
@Injectable()
export class AesSeal extends Seal {
  private readonly keys = new Map<SealPurpose, Buffer>();
  constructor(private readonly config: Config) {
    super();
  }

  seal(purpose: SealPurpose, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key(purpose), nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  open(purpose: SealPurpose, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.key(purpose), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  private key(purpose: SealPurpose): Buffer {
    const known = this.keys.get(purpose);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', this.config.passwordPepper, '', `bourse ${purpose}`, 32));
    this.keys.set(purpose, key);
    return key;
  }
}
