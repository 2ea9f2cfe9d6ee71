import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OperatorActionV1, TOPICS } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import { Clock, type Caller } from '@bourse/platform';

/** The actor as named in the audit trail: an operator, or the command line. */
export interface Actor {
  readonly id: number;
  readonly name: string;
  readonly sessionId?: string;
}
export interface AuditedAction {
  readonly action: string;
  readonly target: string;
  readonly reason: string;
  readonly before: object;
  readonly after: object;
}

/**
 * Publishes an operator's action to the audit trail, in the transaction of the change: no change is without its entry
 * [AUTH-160].
 */
@Injectable()
export class AuditLog {
  constructor(private readonly clock: Clock) {}

  record(tx: Tx, actor: Actor, { action, target, reason, before, after }: AuditedAction): void {
    tx.emit(
      TOPICS.operatorActions,
      0,
      OperatorActionV1.encode({
        id: `auth:${action}:${randomUUID()}`,
        at: this.clock.now(),
        operatorId: actor.id,
        operator: actor.name,
        action,
        target,
        reason,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
      }),
    );
  }
}

export const actorOf = ({
  userId,
  accountNumber,
  sessionId,
}: Pick<Caller, 'userId' | 'accountNumber'> & Partial<Pick<Caller, 'sessionId'>>): Actor => ({
  id: userId,
  name: accountNumber,
  ...(sessionId === undefined ? {} : { sessionId }),
});
