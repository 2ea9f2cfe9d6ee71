import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Clock, Refused, SecurityLog, timeText } from '@bourse/platform';
import { deviceOf, devicesOf } from '../../shared/application/device.js';
import { MessageTemplates } from '../../shared/application/message-templates.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { People, type Person } from '../../shared/application/ports/people.js';
import { Tokens } from '../../shared/application/ports/session-tokens.js';
import { SessionEvents } from '../../shared/application/session-events.js';
import { Sessions, type Origin, type SessionKind } from '../../shared/application/ports/sessions.js';

/**
 * How the person signed in. `since`: the beginning of the session's absolute life, if it is not now; `confirmed`: the
 * password was given, or a passkey that replaces it.
 */
export interface Entrance {
  readonly confirmed: boolean;
  readonly since?: number;
  /** Absent: by password if `confirmed`, else by the code of another device. */
  readonly by?: 'passkey';
  /** Absent: `user`. */
  readonly kind?: SessionKind;
}

/**
 * The last step of every sign-in: stores the session and the device, and sends a letter if the device is new
 * [AUTH-121].
 */
@Injectable()
export class OpenSession {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly sessions: Sessions,
    private readonly tokens: Tokens,
    private readonly letters: MessageTemplates,
    private readonly news: SessionEvents,
    private readonly clock: Clock,
    private readonly log: SecurityLog,
  ) {}

  /**
   * `last` checks in the transaction of the session; if it returns a refusal, its writes are kept and the refusal is
   * thrown. Throws `auth.wrong` when password, authenticator or right to sign in have changed since `person` was read:
   * the checks take time, and a session must not outlive the change [AUTH-215].
   */
  async execute(
    person: Person,
    origin: Origin,
    { confirmed, since, by, kind = 'user' }: Entrance,
    last: (tx: Tx) => Promise<Refused | null>,
  ): Promise<{ token: string; id: number }> {
    const now = this.clock.sessions();
    const opened = await this.database.transaction(async (tx) => {
      if (!(await this.people.lockUnchanged(tx, person))) return new Refused('auth.wrong');
      const refusal = await last(tx);
      if (refusal) return refusal;
      // The first sign-in of a new account needs no letter.
      const known = await this.sessions.knownDevice(tx, person.id, devicesOf(origin));
      if (known === null && (await this.sessions.hasDevice(tx, person.id)))
        await this.letters.notify(tx, person, 'device', { time: timeText(this.clock.real()), ip: origin.ip });
      const device = { userId: person.id, name: deviceOf(origin), firstAt: this.clock.now() };
      await this.sessions.rememberDevice(tx, device, now);
      const { token, tokenHash, publicId } = this.tokens.issue(person.id);
      const ended = await this.sessions.open(
        tx,
        {
          tokenHash,
          publicId,
          userId: person.id,
          kind,
          ip: origin.ip,
          agent: origin.agent,
          createdAt: since ?? now,
          confirmedAt: confirmed ? now : null,
        },
        now,
      );
      return { token, ended, known: known !== null };
    });
    if (opened instanceof Refused) throw opened;
    if (opened.ended.length > 0) await this.news.sessionsEnded(person.id, opened.ended);
    this.log.record('sign_in.succeeded', {
      user_id: person.id,
      by: by ?? (confirmed ? 'password' : 'device_code'),
      known_device: opened.known,
    });
    return { token: opened.token, id: person.id };
  }
}
