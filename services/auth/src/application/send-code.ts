import { Injectable } from '@nestjs/common';
import { Clock, Config, Refused, type Caller } from '@bourse/platform';
import { translate } from '@bourse/i18n';
import type { AccountName } from '../domain/account-name.js';
import { CODE, mayResend, resendPauseSeconds, type Scene } from '../domain/code.js';
import { Letters } from './letters.js';
import { AuthDatabase, Codes, People, Randomness, type Letter, type Origin, type Person } from './ports.js';

@Injectable()
export class SendCode {
  constructor(
    private readonly database: AuthDatabase,
    private readonly codes: Codes,
    private readonly people: People,
    private readonly letters: Letters,
    private readonly random: Randomness,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Sends a code, or only pretends to where the account is not there: limits, stored rows and the answer are the same.
   * Answers the pause until the next code in seconds; throws `Refused` `code.tooSoon`, `code.tooMany` [AUTH-020].
   */
  async execute(name: AccountName, scene: Scene, caller: Caller | null, origin: Origin): Promise<number> {
    const now = this.clock.sessions();
    const verdict = await this.database.transaction(async (tx) => {
      await this.codes.lock(tx, name.key);
      const may = mayResend(
        await this.codes.sent(tx, name.key, scene, origin.ip, now),
        scene,
        now,
        this.config.rateScale,
      );
      if (!may.ok) return may;
      const digits = this.random.digits(CODE.digits);
      await this.codes.store(tx, { nameKey: name.key, scene, kind: name.kind, digits, ip: origin.ip }, now);
      const owner = await this.people.byName(tx, name);
      // The same question whoever asks: a code for a new address carries the word of who binds it.
      const asking = await this.people.byId(tx, caller?.userId ?? 0);
      const letter = letterFor(name, scene, digits, owner, caller, origin.lang);
      if (letter) await this.letters.send(tx, letter, owner ?? asking, origin.lang);
      return may;
    });
    if (!verdict.ok) throw new Refused(verdict.key, verdict.key === 'code.tooSoon' ? { seconds: verdict.seconds } : {});
    return resendPauseSeconds(scene);
  }
}

/** What is written to whom: nothing to accounts that are not there or not the caller's, a note to who is registered already (api §6.10). */
function letterFor(
  name: AccountName,
  scene: Scene,
  digits: string,
  owner: Person | null,
  caller: Caller | null,
  lang: string,
): Letter | null {
  if (scene === 'register' && owner) {
    return name.kind === 'email'
      ? {
          name,
          scene,
          code: '',
          subject: translate(lang, 'mail.used.subject'),
          text: translate(lang, 'mail.used.text'),
        }
      : { name, scene, code: '', subject: '', text: translate(lang, 'sms.used.text') };
  }
  if ((scene === 'login' || scene === 'forget') && !owner?.canSignIn) return null;
  if (scene === 'fund' && (!owner || (caller && caller.userId !== owner.id))) return null;
  return name.kind === 'email'
    ? {
        name,
        scene,
        code: digits,
        subject: translate(lang, 'mail.code.subject'),
        text: translate(lang, 'mail.code.text', { code: digits }),
      }
    : { name, scene, code: digits, subject: '', text: translate(lang, 'sms.code.text', { code: digits }) };
}
