import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Clock, Refused, timeText } from '@bourse/platform';
import { Letters } from './letters.js';
import { AuthDatabase, SessionNews, Sessions, Tokens, type Origin, type Person } from './ports.js';

/** The last step of every sign-in: the session, the device that is known from now on, and a letter when it was not known before [AUTH-121]. */
@Injectable()
export class OpenSession {
  constructor(
    private readonly database: AuthDatabase,
    private readonly sessions: Sessions,
    private readonly tokens: Tokens,
    private readonly letters: Letters,
    private readonly news: SessionNews,
    private readonly clock: Clock,
  ) {}

  /** `last` is what must still hold in the transaction of the session; a refusal it answers keeps what it has written and is thrown. */
  async execute(
    person: Person,
    device: string,
    origin: Origin,
    last: (tx: Tx) => Promise<Refused | null>,
  ): Promise<{ token: string; id: number }> {
    const now = this.clock.sessions();
    const opened = await this.database.transaction(async (tx) => {
      const refusal = await last(tx);
      if (refusal) return refusal;
      // The first sign-in of a new account is nobody's surprise.
      if (!(await this.sessions.knowsDevice(tx, person.id, device)) && (await this.sessions.hasDevice(tx, person.id)))
        await this.letters.tell(tx, person, 'device', { time: timeText(this.clock.real()), ip: origin.ip });
      await this.sessions.rememberDevice(tx, person.id, device, now);
      const { token, tokenHash, publicId } = this.tokens.issue(person.id);
      const ended = await this.sessions.open(
        tx,
        { tokenHash, publicId, userId: person.id, ip: origin.ip, agent: origin.agent },
        now,
      );
      return { token, ended };
    });
    if (opened instanceof Refused) throw opened;
    if (opened.ended.length > 0) await this.news.tell(person.id, opened.ended);
    return { token: opened.token, id: person.id };
  }
}
