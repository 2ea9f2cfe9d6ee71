import { Injectable } from '@nestjs/common';
import type { PendingChange } from '@bourse/contract';
import {
  authAsks,
  type Asks,
  type ChangedBy,
  type ChangeFacts,
  type GuardedPayload,
  type WaitingChange,
} from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { timeText } from '@bourse/platform';

/** The value in force is no longer the one at the request, or its bounds no longer hold. */
export class OutdatedChange extends Error {}

/** Asks auth for the second admin of a guarded change, and for the changes that wait (api §2.12) [HARD-460]. */
@Injectable()
export class GuardedChanges {
  constructor(private readonly asks: Pick<Asks, 'ask'>) {}

  /** Returns the id of the approval under which the change waits. */
  async ask(
    by: ChangedBy,
    request: {
      readonly call: string;
      readonly target: string;
      readonly after: ChangeFacts;
      readonly payload: GuardedPayload;
    },
  ): Promise<number> {
    const operator = { userId: by.operatorId, accountNumber: by.operator };
    const { id } = await this.asks.ask(authAsks.guardedChange, {
      operator,
      reason: by.reason,
      ...request,
    });
    return id;
  }

  /**
   * Of each target of some calls the change that comes into force first; one that is approved before one that is not.
   */
  async pending(calls: readonly string[]): Promise<ReadonlyMap<string, WaitingChange>> {
    const waiting = await this.asks.ask(authAsks.pendingChanges, { calls });
    const first = new Map<string, WaitingChange>();
    for (const change of waiting) {
      const known = first.get(change.target);
      if (!known || comesFirst(change, known)) first.set(change.target, change);
    }
    return first;
  }
}

const comesFirst = (one: WaitingChange, other: WaitingChange): boolean =>
  (one.inForceAt ?? Number.POSITIVE_INFINITY) < (other.inForceAt ?? Number.POSITIVE_INFINITY) ||
  (one.inForceAt === other.inForceAt && one.approvalId < other.approvalId);

/** A pending change as a list shows it; `valueOf` extracts the value from the future row. */
export function pendingOf<V>(
  change: WaitingChange | undefined,
  valueOf: (after: ChangeFacts) => V,
): PendingChange<V> | null {
  if (!change) return null;
  return {
    value: valueOf(change.after),
    approval_id: change.approvalId,
    in_force_at: timeText(change.inForceAt),
  };
}

/**
 * Records in the transaction of a change that its approval is carried out. False: it was carried out before, and
 * nothing may change again.
 */
export async function markCarriedOut(tx: Tx, approvalId: number): Promise<boolean> {
  const marked = await tx.execute('insert into carried_out (approval_id) values ($1) on conflict do nothing', [
    approvalId,
  ]);
  return marked > 0;
}
