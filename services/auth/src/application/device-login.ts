import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, Refused, type Caller } from '@bourse/platform';
import type { AccountName } from '../domain/account-name.js';
import { AUTHORIZATION_CODE } from '../domain/session.js';
import { Attempts } from './attempts.js';
import { deviceOf } from './device.js';
import { AuthDatabase, AuthorizationCodes, People, Randomness, Seal, Sessions, type Origin } from './ports.js';
import { OpenSession } from './open-session.js';

/** Sign-in of another device by a code that a signed-in one shows (api §2.1) [AUTH-080]. */
@Injectable()
export class DeviceLogin {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly devices: AuthorizationCodes,
    private readonly sessions: Sessions,
    private readonly attempts: Attempts,
    private readonly openSession: OpenSession,
    private readonly seal: Seal,
    private readonly random: Randomness,
    private readonly clock: Clock,
  ) {}

  /** The caller's code: the same one until it is used or ten minutes old. */
  async code(caller: Caller): Promise<{ code: string; expiresIn: number }> {
    const now = this.clock.sessions();
    return this.database.transaction(async (tx) => {
      const current = await this.devices.current(tx, caller.userId, now);
      if (current)
        return {
          code: this.seal.open('authorization', current.sealed),
          expiresIn: Math.ceil((current.expiresAt - now) / 1_000),
        };
      const code = this.random.letters(AUTHORIZATION_CODE.length);
      await this.devices.store(
        tx,
        caller.userId,
        this.seal.seal('authorization', code),
        now,
        now + AUTHORIZATION_CODE.lifeMs,
      );
      return { code, expiresIn: AUTHORIZATION_CODE.lifeMs / 1_000 };
    });
  }

  /** Opens a session, or refuses with `auth.wrong` whatever was wrong; `common.tooMany`, `login.resetOnly` after too many wrong ones. */
  async execute(
    { text, name, code }: { readonly text: string; readonly name: AccountName | null; readonly code: string },
    origin: Origin,
  ): Promise<{ token: string; id: number }> {
    const found = name ? await this.people.byName(this.database, name) : null;
    const device = deviceOf(origin);
    // The same questions for accounts that are not there: the work must not tell.
    const known = await this.sessions.knowsDevice(this.database, found?.id ?? 0, device);
    const bucket = !found
      ? `device:?${createHash('sha256').update(text.toLowerCase()).digest('base64url')}`
      : known
        ? `device:${found.id}@${device}`
        : `device:${found.id}`;
    let right: string | null = null;
    await this.attempts.require(
      bucket,
      async () => {
        const current = await this.database.transaction((tx) =>
          this.devices.current(tx, found?.canSignIn ? found.id : 0, this.clock.sessions()),
        );
        const isRight = same(current ? this.seal.open('authorization', current.sealed) : '', code.toUpperCase());
        right = isRight && current ? current.sealed : null;
        return right !== null;
      },
      { key: 'auth.wrong' },
    );
    if (!found || right === null) throw new Refused('auth.wrong');
    const sealed: string = right;
    return this.openSession.execute(found, device, origin, async (tx) =>
      (await this.devices.use(tx, found.id, sealed, this.clock.sessions())) ? null : new Refused('auth.wrong'),
    );
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const same = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
