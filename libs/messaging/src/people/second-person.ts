import { Injectable } from '@nestjs/common';
import { SECOND_PERSON_HOURS } from '@bourse/contract';
import { Refused, type OperatorRole } from '@bourse/platform';
import { Asks } from '../ports.js';
import { authAsks } from '../asks/declared/auth.js';

export interface SecondPersonVerdict {
  /** The operator is surely none of the others. */
  readonly isSecond: boolean;
  /** Those of the others who are switched off or have lost the role: their request or approval no longer counts. */
  readonly gone: readonly number[];
}

/**
 * Whether an operator counts as a second person, according to auth: an operator whom another one has added or reset may
 * not approve that one's requests for 72 h (api §2.12) [HARD-104]; and whether the first one may still decide
 * [HARD-520].
 */
@Injectable()
export class SecondPerson {
  constructor(private readonly asks: Asks) {}

  /** `role`: the least role of the decision. @throws AskUnavailable while auth is away. */
  async check(operatorId: number, others: readonly number[], role: OperatorRole): Promise<SecondPersonVerdict> {
    // Decided here where auth is not needed.
    if (others.length === 0) return { isSecond: true, gone: [] };
    if (others.includes(operatorId)) return { isSecond: false, gone: [] };
    const { ok, gone } = await this.asks.ask(authAsks.secondPerson, { operatorId, others, role });
    return { isSecond: ok, gone };
  }

  /** @throws Refused `admin.samePerson` {hours}, `admin.outdated` when one of the others is gone; `AskUnavailable`. */
  async require(operatorId: number, others: readonly number[], role: OperatorRole): Promise<void> {
    const { isSecond, gone } = await this.check(operatorId, others, role);
    if (!isSecond) throw samePerson();
    if (gone.length > 0) throw new Refused('admin.outdated');
  }
}

export const samePerson = (): Refused => new Refused('admin.samePerson', { hours: SECOND_PERSON_HOURS });
