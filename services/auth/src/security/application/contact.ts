import { Injectable } from '@nestjs/common';
import { Asks, AskUnavailable, walletLedgerAsks } from '@bourse/messaging';
import { Clock, Refused, SecurityLog, type Caller } from '@bourse/platform';
import type { AccountName } from '../../shared/domain/account-name.js';
import { bindingBlocks } from '../../shared/domain/contact.js';
import { WITHDRAWAL_BLOCK_MS } from '../../shared/domain/session.js';
import { codeRequesters } from '../../shared/application/device.js';
import { VerifyCode } from '../../shared/application/verify-code.js';
import { MessageTemplates } from '../../shared/application/message-templates.js';
import { OwnChange } from '../../shared/application/own-change.js';
import { AuthorizationCodes } from '../../shared/application/ports/authorization-codes.js';
import { People } from '../../shared/application/ports/people.js';
import { SessionEvents } from '../../shared/application/session-events.js';
import { Sessions, type Origin } from '../../shared/application/ports/sessions.js';

/** Binding of e-mail and phone (rules §12.4, §8.6) [AUTH-100, HARD-103]. */
@Injectable()
export class Contact {
  constructor(
    private readonly ownChange: OwnChange,
    private readonly people: People,
    private readonly verifyCode: VerifyCode,
    private readonly sessions: Sessions,
    private readonly devices: AuthorizationCodes,
    private readonly letters: MessageTemplates,
    private readonly news: SessionEvents,
    private readonly clock: Clock,
    private readonly asks: Asks,
    private readonly log: SecurityLog,
  ) {}

  /**
   * Binds an address by the code that was sent to it. This blocks withdrawals for 24 h (except the first addition to an
   * empty account) and notifies every existing contact; a change of a contact also ends the other sessions. Throws
   * `code.wrong`, `code.expired`, `register.used`, and what `OwnChange` throws.
   */
  async bind(
    caller: Caller,
    name: AccountName,
    field: 'email' | 'mobile',
    code: string,
    origin: Origin,
  ): Promise<void> {
    const codeId = await this.verifyCode.execute(
      { nameKey: name.key, scene: 'bind', digits: code },
      codeRequesters(caller.userId, origin),
    );
    const isEmpty = await this.isEmpty(caller.userId);
    const { ended, blocks } = await this.ownChange.execute(caller, async (tx, person) => {
      await this.verifyCode.consume(tx, codeId, origin);
      const isChange = (name.kind === 'email' ? person.email : person.phone) !== '';
      const now = this.clock.now();
      const blocks = bindingBlocks(person, name.kind, isEmpty);
      if (!(await this.people.setContact(tx, person.id, name, now, blocks ? now + WITHDRAWAL_BLOCK_MS : null)))
        throw new Refused('register.used', {}, { field });
      await this.letters.notifyEverywhere(tx, person, isChange ? name.kind : blocks ? 'contact' : 'contactFirst');
      if (!isChange) return { ended: [], blocks };
      await this.devices.drop(tx, person.id);
      return {
        ended: await this.sessions.endOthers(tx, person.id, caller.sessionId, this.clock.sessions()),
        blocks,
      };
    });
    await this.news.sessionsEnded(caller.userId, ended);
    this.log.record('contact.bound', { kind: name.kind, blocks_withdrawals: blocks });
  }

  /** Whether the person has no money. While the ledger does not answer, the account counts as not empty. */
  private async isEmpty(userId: number): Promise<boolean> {
    try {
      const balances = await this.asks.ask(walletLedgerAsks.balances, { userId });
      return balances.every(({ available, held }) => isZero(available) && isZero(held));
    } catch (error) {
      if (error instanceof AskUnavailable) return false;
      throw error;
    }
  }
}

const isZero = (amount: string): boolean => /^-?0(\.0+)?$/.test(amount);
