import { Injectable } from '@nestjs/common';
import type { PasskeyRequest } from '@bourse/contract';
import { Clock, SecurityLog } from '@bourse/platform';
import { deviceOf, devicesOf } from '../../shared/application/device.js';
import type { Sql } from '../../shared/application/ports/database.js';
import { Challenges, Passkeys, type Challenge, type Passkey } from '../../shared/application/ports/passkeys.js';
import type { Origin } from '../../shared/application/ports/sessions.js';
import { WebAuthn, type PasskeyAnswer } from '../../shared/application/ports/web-authn.js';
import type { ChallengePurpose } from '../../shared/domain/passkey.js';

/** Challenges to passkeys and their answers, for sign-in and for the second step [AUTH-112]. */
@Injectable()
export class PasskeyProof {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly challenges: Challenges,
    private readonly webAuthn: WebAuthn,
    private readonly clock: Clock,
    private readonly log: SecurityLog,
  ) {}

  /**
   * A new challenge to the passkeys of a person, or to any passkey of this install. It lives two minutes, and only the
   * device that requested it may answer it. Throws `passkey.unavailable`.
   */
  async request(
    sql: Sql,
    purpose: Extract<ChallengePurpose, 'sign_in' | 'second_step'>,
    owner: { readonly userId: number; readonly passkeys: readonly Passkey[] } | null,
    origin: Origin,
  ): Promise<PasskeyRequest> {
    const request = await this.webAuthn.request(owner?.passkeys ?? []);
    const challenge = { purpose, userId: owner?.userId ?? null, device: deviceOf(origin) };
    await this.challenges.store(sql, request.challenge, challenge, this.clock.sessions());
    return request;
  }

  /** Consumes the challenge that an answer signs; null without one for this purpose, device and person. */
  async take(
    sql: Sql,
    answer: Parameters<WebAuthn['challengeOf']>[0],
    { purpose, userId }: Pick<Challenge, 'purpose' | 'userId'>,
    origin: Origin,
  ): Promise<string | null> {
    const text = this.webAuthn.challengeOf(answer);
    const challenge = text === null ? null : await this.challenges.take(sql, text, this.clock.sessions());
    const fits =
      challenge?.purpose === purpose && challenge.userId === userId && devicesOf(origin).includes(challenge.device);
    return fits ? text : null;
  }

  /** Whether `passkey` signed this challenge, with a counter that has grown; records its use. */
  async isRight(sql: Sql, answer: PasskeyAnswer, challenge: string, passkey: Passkey): Promise<boolean> {
    const counter = await this.webAuthn.verify(answer, challenge, passkey);
    const right = counter !== null && (await this.passkeys.use(sql, passkey.id, counter, this.clock.sessions()));
    if (!right) this.log.record('passkey.wrong', { user_id: passkey.userId });
    return right;
  }
}
