import { Injectable } from '@nestjs/common';
import { SECOND_PERSON_HOURS } from '@bourse/contract';
import { Clock, Refused } from '@bourse/platform';
import { mayBeOnePerson, SPONSORSHIP_MS } from '../domain/second-person.js';
import { AuthDatabase, type Sql } from '../../shared/application/ports/database.js';
import { ApprovalStore } from './approval-ports.js';

/**
 * Whether an operator counts as a second person, for every decision in the exchange that takes two people (api §2.12)
 * [HARD-104].
 */
@Injectable()
export class SecondPerson {
  constructor(
    private readonly database: AuthDatabase,
    private readonly store: ApprovalStore,
    private readonly clock: Clock,
  ) {}

  /** Whether this operator is certainly none of the others. */
  async is(operatorId: number, others: readonly number[], sql: Sql = this.database): Promise<boolean> {
    const living = await this.store.sponsorships(sql, this.clock.now() - SPONSORSHIP_MS);
    return others.every((other) => !mayBeOnePerson(living, operatorId, other));
  }

  /** Throws `admin.samePerson` {hours}. */
  async require(operatorId: number, others: readonly number[], sql: Sql): Promise<void> {
    if (!(await this.is(operatorId, others, sql)))
      throw new Refused('admin.samePerson', { hours: SECOND_PERSON_HOURS });
  }
}
