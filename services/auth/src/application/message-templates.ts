import { Injectable } from '@nestjs/common';
import { translate } from '@bourse/i18n';
import type { Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { namesOf, type AccountName } from '../domain/account-name.js';
import { Mailer, type MailMessage } from './ports/mailer.js';
import type { Person } from './ports/people.js';
import { Seal } from './ports/seal.js';

/** What people are told about their accounts. Each has a text `mail.<news>.text`. */
export type AccountNotice =
  | 'device'
  | 'totpOn'
  | 'totpOff'
  | 'totpReset'
  | 'email'
  | 'mobile'
  | 'contact'
  | 'contactFirst'
  | 'password'
  | 'fund'
  | 'fundFirst'
  | 'frozen'
  | 'apikey'
  | 'kycPassed'
  | 'kycRefused';
type Texts = Readonly<Record<string, string | number>>;

/**
 * Letters to people: in their language, to the address they are known by, with the word that tells a real letter from a
 * false one [AUTH-120].
 */
@Injectable()
export class MessageTemplates {
  constructor(
    private readonly post: Mailer,
    private readonly seal: Seal,
    private readonly clock: Clock,
  ) {}

  /** Tells a person news in the transaction of what happened. */
  async tell(tx: Tx, person: Person, news: AccountNotice, texts: Texts = {}, to = nameOf(person)): Promise<void> {
    const subject = translate(person.lang, news.startsWith('kyc') ? 'mail.kyc.subject' : 'mail.security.subject');
    const scene = news.startsWith('kyc') ? 'kyc' : 'security';
    await this.send(
      tx,
      { name: to, scene, code: '', subject, text: translate(person.lang, `mail.${news}.text`, texts) },
      person,
      person.lang,
    );
  }

  /** Tells a person news by every contact that they have: who took one of them over must not be the only reader. */
  async tellEverywhere(tx: Tx, person: Person, news: AccountNotice, texts: Texts = {}): Promise<void> {
    for (const name of namesOf(person)) await this.tell(tx, person, news, texts, name);
  }

  /** A letter with the word of its reader, if they have chosen one. */
  async send(tx: Tx, letter: MailMessage, reader: Person | null, lang: string): Promise<void> {
    const word = reader?.phishingSealed ? this.seal.open('phishing', reader.phishingSealed) : null;
    const text = word === null ? letter.text : `${letter.text}\n\n${translate(lang, 'mail.word.text', { word })}`;
    // Words of people stand in letters (names of keys, reasons, the chosen word); a reader of mail that takes text for
    // HTML must find none.
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

/** The address a person is written to: e-mail if there is one, else the phone. */
export function nameOf(person: Pick<Person, 'id' | 'email' | 'phone' | 'areaCode'>): AccountName {
  const [name] = namesOf(person);
  if (!name) throw new Error(`invariant: account ${person.id} has neither e-mail nor phone`);
  return name;
}
