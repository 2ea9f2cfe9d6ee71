import { Injectable } from '@nestjs/common';
import { generateSecret, generateURI, verifySync } from 'otplib';
import { Seal } from '../application/ports/seal.js';
import { Totp } from '../application/ports/totp.js';

const STEP_SECONDS = 30;
/** The issuer that authenticator apps show beside the account. */
const ISSUER = 'Bourse';

/** Authenticator codes (RFC 6238, 30 s, one step of skew). Secrets are stored sealed. */
@Injectable()
export class SealedTotp extends Totp {
  constructor(private readonly seal: Seal) {
    super();
  }

  create(account: string): { secret: string; url: string; sealed: string } {
    const secret = generateSecret();
    return {
      secret,
      url: generateURI({ issuer: ISSUER, label: account, secret }),
      sealed: this.seal.seal('totp', secret),
    };
  }

  step(sealedSecret: string, code: string, now: number): number | null {
    if (!/^\d{6}$/.test(code)) return null;
    const at = Math.floor(now / 1_000);
    const verdict = verifySync({
      secret: this.seal.open('totp', sealedSecret),
      token: code,
      epoch: at,
      epochTolerance: STEP_SECONDS,
    });
    return verdict.valid ? Math.floor(at / STEP_SECONDS) + verdict.delta : null;
  }
}
