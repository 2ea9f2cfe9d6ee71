import { Injectable } from '@nestjs/common';
import { Clock, rateAddress, Refused } from '@bourse/platform';
import { INVITE_CODE_MUST, Settings } from '@bourse/settings';
import type { AccountName } from '../../shared/domain/account-name.js';
import { isGuessable } from '../../shared/domain/password.js';
import { codeRequesters } from '../../shared/application/device.js';
import { VerifyCode } from '../../shared/application/verify-code.js';
import { PeopleFacts } from '../../shared/application/people-facts.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Passwords } from '../../shared/application/ports/passwords.js';
import { People } from '../../shared/application/ports/people.js';
import type { Origin } from '../../shared/application/ports/sessions.js';

export interface Registration {
  readonly name: AccountName;
  readonly code: string;
  readonly password: string;
  readonly repeated: string | undefined;
  readonly inviteCode: string | undefined;
  readonly nationality: string;
}
const INVITE_CODE_LENGTH_MIN = 4;

@Injectable()
export class Register {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly passwords: Passwords,
    private readonly settings: Settings,
    private readonly verifyCode: VerifyCode,
    private readonly facts: PeopleFacts,
    private readonly clock: Clock,
  ) {}

  /**
   * The rest of rules §12.2, after the fields that the edge reads: guessable password, repeat, invite code, code, free
   * name. Returns the new id [AUTH-010].
   */
  async execute(
    { name, code, password, repeated, inviteCode, nationality }: Registration,
    origin: Origin,
  ): Promise<number> {
    if (isGuessable(password, name, this.passwords.common))
      throw new Refused('register.pswCommon', {}, { field: 'password' });
    if (repeated !== password) throw new Refused('pswFalse', {}, { field: 're_password' });
    const inviterId = await this.inviter(inviteCode);
    const codeId = await this.verifyCode.execute(
      { nameKey: name.key, scene: 'register', digits: code },
      codeRequesters(null, origin),
    );
    if (await this.people.isTaken(this.database, name))
      throw new Refused('register.used', {}, { field: 'user_string' });
    const stored = await this.passwords.hashLogin(password, { known: false, key: rateAddress(origin.ip) });
    return this.database.transaction(async (tx) => {
      await this.verifyCode.consume(tx, codeId, origin);
      const now = this.clock.now();
      const person = { name, password: stored, lang: origin.lang, nationality, inviterId };
      const id = await this.people.add(tx, person, now);
      if (id === null) throw new Refused('register.used', {}, { field: 'user_string' });
      await this.facts.registered(tx, id, inviterId, now);
      return id;
    });
  }

  private async inviter(inviteCode: string | undefined): Promise<number | null> {
    const refuse = (key: string): Refused => new Refused(key, {}, { field: 'extension_code' });
    if (inviteCode === undefined) {
      if (this.settings.get(INVITE_CODE_MUST)) throw refuse('register.inviteRequired');
      return null;
    }
    if (inviteCode.length < INVITE_CODE_LENGTH_MIN) throw refuse('register.inviteMin');
    const inviter = await this.people.inviter(this.database, inviteCode);
    if (inviter === null) throw refuse('register.inviteUnknown');
    return inviter;
  }
}
