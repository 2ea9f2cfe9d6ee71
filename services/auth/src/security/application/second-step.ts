import { Injectable } from '@nestjs/common';
import { Refused } from '@bourse/platform';
import { PasskeyProof } from './passkey-proof.js';
import type { Sql } from '../../shared/application/ports/database.js';
import { Passkeys } from '../../shared/application/ports/passkeys.js';
import type { Person } from '../../shared/application/ports/people.js';
import type { Origin } from '../../shared/application/ports/sessions.js';
import type { PasskeyAnswer } from '../../shared/application/ports/web-authn.js';

/** A proof beside the password. */
export interface SecondProof {
  readonly totpCode: string | undefined;
  readonly passkey: PasskeyAnswer | undefined;
}
/** `asked`: nothing was sent yet; otherwise what was sent is wrong. */
interface SecondStepRefusal {
  readonly refusal: Refused;
  readonly asked: boolean;
}

/**
 * The step after a right password or device code, for people with an authenticator or a passkey: a code or a passkey
 * answers it, whichever the person has [AUTH-113].
 */
@Injectable()
export class SecondStep {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly proof: PasskeyProof,
  ) {}

  /**
   * Null: passed, or the person has neither. The refusals are `login.totpRequired` and `login.passkeyRequired`, which
   * carry a challenge where the person has passkeys, `login.totpWrong` and `login.passkeyWrong`. `isRightCode` uses the
   * code up.
   */
  async verify(
    sql: Sql,
    person: Person,
    { totpCode, passkey }: SecondProof,
    origin: Origin,
    isRightCode: (code: string) => Promise<boolean>,
  ): Promise<SecondStepRefusal | null> {
    const passkeys = await this.passkeys.list(sql, person.id);
    const hasTotp = person.totpSealed !== null;
    if (!hasTotp && passkeys.length === 0) return null;
    if (passkey !== undefined && passkeys.length > 0) {
      const challenge = await this.proof.take(sql, passkey, { purpose: 'second_step', userId: person.id }, origin);
      const used = passkeys.find(({ id }) => id === passkey.id);
      if (challenge !== null && used && (await this.proof.isRight(sql, passkey, challenge, used))) return null;
      return { refusal: new Refused('login.passkeyWrong', {}, { field: 'passkey' }), asked: false };
    }
    if (totpCode !== undefined && hasTotp)
      return (await isRightCode(totpCode))
        ? null
        : { refusal: new Refused('login.totpWrong', {}, { field: 'totp_code' }), asked: false };
    const request =
      passkeys.length > 0
        ? await this.proof.request(sql, 'second_step', { userId: person.id, passkeys }, origin).catch(unavailable)
        : undefined;
    const extra = {
      need: hasTotp ? 'totp' : 'passkey',
      ...(request === undefined ? {} : { passkey: request }),
    };
    const refusal = hasTotp
      ? new Refused('login.totpRequired', {}, { field: 'totp_code', extra })
      : request === undefined
        ? new Refused('passkey.unavailable')
        : new Refused('login.passkeyRequired', {}, { field: 'passkey', extra });
    return { refusal, asked: true };
  }
}

/** Without a public name no passkey can answer; an authenticator still can. */
function unavailable(error: unknown): undefined {
  if (error instanceof Refused) return undefined;
  throw error;
}
