import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Clock, Config, rateAddress, Refused, SecurityLog } from '@bourse/platform';
import { translate } from '@bourse/i18n';
import type { AccountName } from '../../shared/domain/account-name.js';
import { CODE, mayResend, resendPauseSeconds, type Scene } from '../../shared/domain/code.js';
import { opensPasswords } from '../../shared/domain/contact.js';
import { askerOf, deviceOf, devicesOf } from '../../shared/application/device.js';
import { MessageTemplates } from '../../shared/application/message-templates.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Mailer, type MailMessage } from '../../shared/application/ports/mailer.js';
import { People, type Person } from '../../shared/application/ports/people.js';
import { Randomness } from '../../shared/application/ports/randomness.js';
import { Sessions, type Origin } from '../../shared/application/ports/sessions.js';
import { Codes } from '../../shared/application/ports/verification-codes.js';

@Injectable()
export class SendCode {
  constructor(
    private readonly database: AuthDatabase,
    private readonly codes: Codes,
    private readonly people: People,
    private readonly letters: MessageTemplates,
    private readonly random: Randomness,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly sessions: Sessions,
    private readonly log: SecurityLog,
    private readonly mailer: Mailer,
  ) {}

  /**
   * Sends a code, or only pretends to if the account is unknown: limits, stored rows and the answer are the same. The
   * code belongs to its requester. A requester who is known to the account (signed in, or on a device that has signed
   * in before) has separate limits: strangers who request codes must not keep the owner from one. `userId`: the
   * signed-in requester. Returns the pause until the next code in seconds; throws `Refused` `code.noChannel` if no
   * provider delivers this kind of message [HARD-503], `code.tooSoon`, `code.tooMany` [AUTH-020] [AUTH-221].
   */
  async execute(name: AccountName, scene: Scene, userId: number | null, origin: Origin): Promise<number> {
    if (!this.mailer.reaches(name.kind)) throw new Refused('code.noChannel');
    const now = this.clock.sessions();
    const asker = askerOf(scene, userId, origin);
    // A code requested by a service counts under its person instead of an address.
    const ip = isIP(origin.ip) ? rateAddress(origin.ip) : origin.ip;
    const verdict = await this.database.transaction(async (tx) => {
      await this.codes.lock(tx, name.key);
      // The limit of the address counts codes for all accounts: calls at once must not all find it free.
      await this.codes.lockAddress(tx, ip);
      const owner = await this.people.byName(tx, name);
      // The same query runs for unknown accounts: the work must not reveal them.
      const known = await this.sessions.knownDevice(tx, owner?.id ?? 0, devicesOf(origin));
      const isOwner = owner !== null && (known !== null || asker === `user:${owner.id}`);
      const may = mayResend(
        await this.codes.sent(
          tx,
          name.key,
          scene,
          { ip, askers: isOwner ? [`user:${owner.id}`, `device:${deviceOf(origin)}`] : null },
          now,
        ),
        scene,
        now,
        this.config.rateScale,
      );
      if (!may.ok) return may;
      const digits = this.random.digits(CODE.digits);
      await this.codes.store(
        tx,
        { nameKey: name.key, scene, kind: name.kind, digits, ip, asker, device: deviceOf(origin) },
        now,
      );
      // The same query for every requester: a code for a new address carries the phrase of the person who binds it.
      const asking = await this.people.byId(tx, userId ?? 0);
      const letter = letterFor(name, scene, digits, owner, userId, this.clock.now(), origin.lang);
      if (letter) await this.letters.send(tx, letter, owner ?? asking, origin.lang);
      return may;
    });
    if (!verdict.ok) throw new Refused(verdict.key, verdict.key === 'code.tooSoon' ? { seconds: verdict.seconds } : {});
    this.log.record('code.sent', { scene, by: name.kind });
    return resendPauseSeconds(scene);
  }
}

/**
 * Selects the letter for a code: none for unknown accounts and accounts of other people, none that would let a new
 * contact set the password, and a note for a person who is registered already (api §6.10).
 */
function letterFor(
  name: AccountName,
  scene: Scene,
  digits: string,
  owner: Person | null,
  userId: number | null,
  now: number,
  lang: string,
): MailMessage | null {
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
  if (scene === 'fund' && (!owner || (userId !== null && userId !== owner.id))) return null;
  if ((scene === 'fund' || scene === 'forget') && owner && !opensPasswords(owner, name.kind, now)) return null;
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
