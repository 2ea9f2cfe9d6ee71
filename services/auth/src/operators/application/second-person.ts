import { Injectable } from '@nestjs/common';
import { SECOND_PERSON_HOURS } from '@bourse/contract';
import { Clock, includesRole, Refused, type OperatorRole } from '@bourse/platform';
import { mayBeOnePerson, SPONSORSHIP_MS } from '../domain/second-person.js';
import { AuthDatabase, type Sql } from '../../shared/application/ports/database.js';
import { Operators } from '../../shared/application/ports/operators.js';
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
    private readonly operators: Operators,
    private readonly clock: Clock,
  ) {}

  /** Whether this operator is certainly none of the others. */
  async is(operatorId: number, others: readonly number[], sql: Sql = this.database): Promise<boolean> {
    const living = await this.store.sponsorships(sql, this.clock.now() - SPONSORSHIP_MS);
    return others.every((other) => !mayBeOnePerson(living, operatorId, other));
  }

  /** Those of these operators who are switched off or have lost the role. */
  async gone(operatorIds: readonly number[], role: OperatorRole): Promise<number[]> {
    const kept = await Promise.all(operatorIds.map((id) => this.has(id, role)));
    return operatorIds.filter((_, at) => !kept[at]);
  }

  /** Whether the operator is active and has the role now: the record of a caller may be a minute old. */
  async has(operatorId: number, role: OperatorRole, sql: Sql = this.database): Promise<boolean> {
    const operator = await this.operators.byId(sql, operatorId);
    return operator?.active === true && includesRole(operator.roles, role);
  }

  /** Throws `admin.samePerson` {hours}. */
  async require(operatorId: number, others: readonly number[], sql: Sql): Promise<void> {
    if (!(await this.is(operatorId, others, sql)))
      throw new Refused('admin.samePerson', { hours: SECOND_PERSON_HOURS });
  }
}
