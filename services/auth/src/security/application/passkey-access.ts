import { Injectable } from '@nestjs/common';
import type { PasskeyCreation, PasskeyRow } from '@bourse/contract';
import { Clock, Refused, SecurityLog, timeText, type Caller } from '@bourse/platform';
import { PASSKEY } from '../../shared/domain/passkey.js';
import { WITHDRAWAL_BLOCK_MS } from '../../shared/domain/session.js';
import { deviceOf } from '../../shared/application/device.js';
import { MessageTemplates, type AccountNotice } from '../../shared/application/message-templates.js';
import { OwnChange } from '../../shared/application/own-change.js';
import { OwnPassword } from './own-password.js';
import { PasskeyProof } from './passkey-proof.js';
import { AuthorizationCodes } from '../../shared/application/ports/authorization-codes.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Challenges, Passkeys, type Passkey } from '../../shared/application/ports/passkeys.js';
import { People, type Person } from '../../shared/application/ports/people.js';
import { SessionEvents } from '../../shared/application/session-events.js';
import { Sessions, type Origin } from '../../shared/application/ports/sessions.js';
import { WebAuthn, type NewPasskeyAnswer } from '../../shared/application/ports/web-authn.js';
import type { Tx } from '@bourse/persistence';

/** The passkeys of a person: made in a confirmed session, removed with the password [AUTH-111]. */
@Injectable()
export class PasskeyAccess {
  constructor(
    private readonly database: AuthDatabase,
    private readonly passkeys: Passkeys,
    private readonly challenges: Challenges,
    private readonly proof: PasskeyProof,
    private readonly webAuthn: WebAuthn,
    private readonly people: People,
    private readonly password: OwnPassword,
    private readonly ownChange: OwnChange,
    private readonly sessions: Sessions,
    private readonly devices: AuthorizationCodes,
    private readonly letters: MessageTemplates,
    private readonly news: SessionEvents,
    private readonly clock: Clock,
    private readonly log: SecurityLog,
  ) {}

  async list(userId: number): Promise<PasskeyRow[]> {
    return (await this.passkeys.list(this.database, userId)).map(rowOf);
  }

  /** Options to make a passkey. Throws `passkey.limit`, `passkey.unavailable`. */
  async setup(caller: Caller, origin: Origin): Promise<PasskeyCreation> {
    const person = await this.own(caller.userId);
    const existing = await this.passkeys.list(this.database, person.id);
    if (existing.length >= PASSKEY.perUser) throw limit();
    const name = person.email || `+${person.areaCode}${person.phone}`;
    const creation = await this.webAuthn.creation({ id: person.id, name }, existing);
    const challenge = { purpose: 'register', userId: person.id, device: deviceOf(origin) } as const;
    await this.challenges.store(this.database, creation.challenge, challenge, this.clock.sessions());
    return creation;
  }

  /**
   * Registers the passkey of an answer. Throws `passkey.expired` for a challenge that was used, is too old or of
   * another person or device, `login.passkeyWrong`, `passkey.used`, `passkey.limit`, and what `OwnChange` throws.
   * Every other session ends, and withdrawals are blocked.
   */
  async enable(caller: Caller, answer: NewPasskeyAnswer, label: string, origin: Origin): Promise<PasskeyRow> {
    const { userId } = caller;
    const taken = { purpose: 'register', userId } as const;
    const challenge = await this.proof.take(this.database, answer, taken, origin);
    if (challenge === null) throw new Refused('passkey.expired', {}, { field: 'passkey' });
    const credential = await this.webAuthn.verifyNew(answer, challenge);
    if (credential === null) throw new Refused('login.passkeyWrong', {}, { field: 'passkey' });
    const passkey: Passkey = {
      ...credential,
      userId,
      label,
      createdAt: this.clock.sessions(),
      lastAt: null,
    };
    const ended = await this.ownChange.execute(caller, async (tx, person) => {
      if ((await this.passkeys.count(tx, userId)) >= PASSKEY.perUser) throw limit();
      if (!(await this.passkeys.add(tx, passkey))) throw new Refused('passkey.used', {}, { field: 'passkey' });
      return this.changed(tx, person, caller, 'passkeyOn', label);
    });
    await this.news.sessionsEnded(userId, ended);
    this.log.record('passkey.added');
    return rowOf(passkey);
  }

  /** Throws `common.notFound` for a passkey that is not the caller's. */
  async rename(userId: number, id: string, label: string): Promise<void> {
    if (!(await this.passkeys.rename(this.database, userId, id, label))) throw unknown();
  }

  /**
   * Throws what `OwnPassword.require` and `OwnChange` throw, then `common.notFound` for a passkey that is not
   * the caller's. Every other session ends, and withdrawals are blocked.
   */
  async remove(caller: Caller, id: string, password: string): Promise<void> {
    await this.password.require(caller.userId, password);
    const ended = await this.ownChange.execute(caller, async (tx, person) => {
      const passkey = await this.passkeys.byId(tx, id);
      if (!passkey || !(await this.passkeys.remove(tx, person.id, id))) throw unknown();
      return this.changed(tx, person, caller, 'passkeyOff', passkey.label);
    });
    await this.news.sessionsEnded(caller.userId, ended);
    this.log.record('passkey.removed', { by: 'owner' });
  }

  /** Applies the consequences of a changed way to sign in; returns the ended sessions. */
  private async changed(tx: Tx, person: Person, caller: Caller, news: AccountNotice, label: string): Promise<string[]> {
    await this.people.blockWithdrawals(tx, person.id, this.clock.now() + WITHDRAWAL_BLOCK_MS);
    await this.letters.notifyEverywhere(tx, person, news, { label });
    await this.devices.drop(tx, person.id);
    return this.sessions.endOthers(tx, person.id, caller.sessionId, this.clock.sessions());
  }

  private async own(userId: number): Promise<Person> {
    const person = await this.people.byId(this.database, userId);
    if (!person) throw new Refused('auth.expired');
    return person;
  }
}

const limit = (): Refused => new Refused('passkey.limit', { max: PASSKEY.perUser });
const unknown = (): Refused => new Refused('common.notFound', {}, { field: 'id' });

const rowOf = ({ id, label, createdAt, lastAt }: Passkey): PasskeyRow => ({
  id,
  label,
  created_at: timeText(createdAt),
  last_at: timeText(lastAt),
});
