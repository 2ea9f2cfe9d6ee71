import { Injectable } from '@nestjs/common';
import { SECOND_PERSON_HOURS } from '@bourse/contract';
import { Refused } from '@bourse/platform';
import { Asks } from '../ports.js';
import { authAsks } from '../asks/declared/auth.js';

/**
 * Whether an operator counts as a second person, according to auth: an operator whom another one has added or reset may
 * not approve that one's requests for 72 h (api §2.12) [HARD-104].
 */
@Injectable()
export class SecondPerson {
  constructor(private readonly asks: Asks) {}

  /** Whether the operator is surely none of the others. @throws AskUnavailable while auth is away. */
  async is(operatorId: number, others: readonly number[]): Promise<boolean> {
    // Decided here where auth is not needed.
    if (others.length === 0) return true;
    if (others.includes(operatorId)) return false;
    const { ok } = await this.asks.ask(authAsks.secondPerson, { operatorId, others });
    return ok;
  }

  /** @throws Refused `admin.samePerson` {hours}; `AskUnavailable`. */
  async require(operatorId: number, others: readonly number[]): Promise<void> {
    if (!(await this.is(operatorId, others))) throw samePerson();
  }
}

export const samePerson = (): Refused => new Refused('admin.samePerson', { hours: SECOND_PERSON_HOURS });
