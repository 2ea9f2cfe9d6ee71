import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TOPICS, userNotices, type NoticeKind, type TypedNotice } from '@bourse/events';
import { translate } from '@bourse/i18n';
import type { Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { namesOf, type AccountName } from '../domain/account-name.js';
import { Mailer, type MailMessage } from './ports/mailer.js';
import type { Person } from './ports/people.js';
import { Seal } from './ports/seal.js';

/** Notices to people about their accounts. Each has a text `mail.<news>.text`. */
export type AccountNotice =
  | 'device'
  | 'totpOn'
  | 'totpOff'
  | 'totpReset'
  | 'passkeyOn'
  | 'passkeyOff'
  | 'passkeysReset'
  | 'email'
  | 'mobile'
  | 'contact'
  | 'contactFirst'
  | 'password'
  | 'fund'
  | 'fundFirst'
  | 'frozen'
  | 'frozenPart'
  | 'unfrozen'
  | 'apikey'
  | 'kycPassed'
  | 'kycRefused';
type Texts = Readonly<Record<string, string | number>>;

/** Those that are personal notices too. */
const KINDS = {
  device: 'newDevice',
  totpOn: 'authenticatorChanged',
  totpOff: 'authenticatorChanged',
  totpReset: 'authenticatorChanged',
  passkeyOn: 'passkeyChanged',
  passkeyOff: 'passkeyChanged',
  passkeysReset: 'passkeyChanged',
  password: 'passwordChanged',
  frozen: 'accountFrozen',
  frozenPart: 'accountFrozen',
  unfrozen: 'accountUnfrozen',
  kycPassed: 'identityPassed',
  kycRefused: 'identityRejected',
} as const satisfies Partial<Record<AccountNotice, NoticeKind>>;
const kindOf = (news: AccountNotice): (typeof KINDS)[keyof typeof KINDS] | null =>
  Object.hasOwn(KINDS, news) ? KINDS[news as keyof typeof KINDS] : null;
/** Pages of the terminal to which the notices link. */
const SETTINGS = '/account/accountSet';
const IDENTITY = '/account/authentication';

/**
 * Letters to people: in their language, to their main contact, with the anti-phishing phrase by which they recognise a
 * real letter [AUTH-120].
 */
@Injectable()
export class MessageTemplates {
  constructor(
    private readonly post: Mailer,
    private readonly seal: Seal,
    private readonly clock: Clock,
  ) {}

  /** Notifies a person in the transaction of the event. */
  async notify(tx: Tx, person: Person, news: AccountNotice, texts: Texts = {}): Promise<void> {
    this.notice(tx, person, news, texts);
    await this.write(tx, person, news, texts, nameOf(person));
  }

  private async write(tx: Tx, person: Person, news: AccountNotice, texts: Texts, to: AccountName): Promise<void> {
    const subject = translate(person.lang, news.startsWith('kyc') ? 'mail.kyc.subject' : 'mail.security.subject');
    const scene = news.startsWith('kyc') ? 'kyc' : 'security';
    await this.send(
      tx,
      { name: to, scene, code: '', subject, text: translate(person.lang, `mail.${news}.text`, texts) },
      person,
      person.lang,
    );
  }

  /** Notifies a person through every contact: somebody who took one of them over must not be the only reader. */
  async notifyEverywhere(tx: Tx, person: Person, news: AccountNotice, texts: Texts = {}): Promise<void> {
    this.notice(tx, person, news, texts);
    for (const name of namesOf(person)) await this.write(tx, person, news, texts, name);
  }

  /** Sends the personal notice, once for all letters of the event. */
  private notice(
    tx: Tx,
    { id: userId }: Person,
    news: AccountNotice,
    { time = '', ip = '', reason = '' }: Texts,
  ): void {
    const kind = kindOf(news);
    if (!kind) return;
    const link = kind.startsWith('identity') ? IDENTITY : SETTINGS;
    const about = { userId, id: `auth:${news}:${randomUUID()}`, link, at: this.clock.now() };
    const notice: TypedNotice =
      kind === 'newDevice'
        ? { ...about, kind, params: { time, address: ip } }
        : kind === 'identityRejected'
          ? { ...about, kind, params: { reason } }
          : { ...about, kind, params: {} };
    tx.emit(TOPICS.userNotices, 0, userNotices([notice]));
  }

  /** Sends a letter with the recipient's anti-phishing phrase, if one is set. */
  async send(tx: Tx, letter: MailMessage, reader: Person | null, lang: string): Promise<void> {
    const word = reader?.phishingSealed ? this.seal.open('phishing', reader.phishingSealed) : null;
    const text = word === null ? letter.text : `${letter.text}\n\n${translate(lang, 'mail.word.text', { word })}`;
    // Letters contain texts of people (names of keys, reasons, the phrase), which must not look like HTML to a mail
    // program.
    await this.post.send(
      tx,
      {
        ...letter,
        text: text.replaceAll('<', '‹').replaceAll('>', '›'),
        subject: letter.name.kind === 'email' ? letter.subject : '',
      },
      this.clock.sessions(),
    );
  }
}

/** A person's main contact: the e-mail if there is one, else the phone. */
export function nameOf(person: Pick<Person, 'id' | 'email' | 'phone' | 'areaCode'>): AccountName {
  const [name] = namesOf(person);
  if (!name) throw new Error(`invariant: account ${person.id} has neither e-mail nor phone`);
  return name;
}
