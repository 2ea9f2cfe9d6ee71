import { createDecipheriv, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { verifySync } from 'otplib';
import { Config } from '@bourse/platform';
import { Totp } from '../../application/ports.js';

const STEP_SECONDS = 30;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Authenticator codes (RFC 6238, 30 s, one step of skew). Secrets lie sealed with AES-256-GCM under a key of the pepper: nonce, tag, text. */
@Injectable()
export class SealedTotp extends Totp {
  private readonly key: Buffer;
  constructor(config: Config) {
    super();
    this.key = Buffer.from(hkdfSync('sha256', config.passwordPepper, '', 'bourse totp', 32));
  }

  step(sealedSecret: string, code: string, now: number): number | null {
    if (!/^\d{6}$/.test(code)) return null;
    const at = Math.floor(now / 1_000);
    const verdict = verifySync({ secret: this.open(sealedSecret), token: code, epoch: at, epochTolerance: STEP_SECONDS });
    return verdict.valid ? Math.floor(at / STEP_SECONDS) + verdict.delta : null;
  }

  private open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}
