import { Injectable } from '@nestjs/common';
import { isLanguage } from '@bourse/contract';
import type { SentVerdict, UsedVerdict } from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import { codeRequesters } from '../../shared/application/device.js';
import { VerifyCode } from '../../shared/application/verify-code.js';
import { namesOf, type AccountName } from '../../shared/domain/account-name.js';
import { nameOf } from '../../shared/application/message-templates.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Mailer } from '../../shared/application/ports/mailer.js';
import { People, type Person } from '../../shared/application/ports/people.js';
import type { Origin } from '../../shared/application/ports/sessions.js';
import { SendCode } from '../../sign-in/application/send-code.js';

type AskedScene = 'draw_address';

/** Codes that another service sends to a person and uses up: the code for binding a withdrawal address [AUTH-102]. */
@Injectable()
export class AskedCodes {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly sendCode: SendCode,
    private readonly verifyCode: VerifyCode,
    private readonly mailer: Mailer,
  ) {}

  /**
   * Sends to the person's e-mail, or to the phone if there is none or no mail is sent. Refused: `code.noChannel`,
   * `code.tooSoon` {seconds}, `code.tooMany`.
   */
  async send(userId: number, scene: AskedScene, lang: string): Promise<SentVerdict> {
    const person = await this.people.byId(this.database, userId);
    if (!person) return { refused: 'common.notFound', params: {} };
    // Counted per person instead of per address: the edge has limited the caller's address already.
    const origin = { ...originOf(userId), lang: isLanguage(lang) ? lang : person.lang };
    return refusalOr<SentVerdict>(
      async () => ({ seconds: await this.sendCode.execute(this.nameFor(person), scene, userId, origin) }),
      ({ key, params }) => ({ refused: key, params }),
    );
  }

  /** Checks the code and uses it up. `code.wrong` {left}, `code.expired`. */
  async use(userId: number, scene: AskedScene, code: string): Promise<UsedVerdict> {
    const person = await this.people.byId(this.database, userId);
    if (!person) return { ok: false, key: 'code.expired', params: {} };
    return refusalOr<UsedVerdict>(
      async () => {
        const id = await this.verifyCode.execute(
          { nameKey: this.nameFor(person).key, scene, digits: code },
          codeRequesters(userId, { ...originOf(userId), lang: person.lang }),
        );
        await this.database.transaction((tx) => this.verifyCode.consume(tx, id));
        return { ok: true };
      },
      ({ key, params }) => ({ ok: false, key, params }),
    );
  }

  private nameFor(person: Person): AccountName {
    return namesOf(person).find(({ kind }) => this.mailer.reaches(kind)) ?? nameOf(person);
  }
}

const originOf = (userId: number): Omit<Origin, 'lang'> => ({ ip: `user ${userId}`, agent: '', device: null });

async function refusalOr<T>(work: () => Promise<T>, otherwise: (refusal: Refused) => T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) return otherwise(error);
    throw error;
  }
}
