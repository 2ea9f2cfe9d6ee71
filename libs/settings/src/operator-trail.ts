import { randomUUID } from 'node:crypto';
import { OperatorActionV1, TOPICS } from '@bourse/events';
import type { ChangedBy } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import type { Clock } from '@bourse/platform';

/** Adds a line to the audit log of operators, in the transaction of the change that it records. */
export function recordChange(
  tx: Tx,
  {
    service,
    action,
    target,
    subjects = [],
    before,
    after,
    by,
    at,
  }: {
    readonly service: string;
    readonly action: string;
    readonly target: string;
    /** Persons concerned, beside one that `target` names (`user:7`). */
    readonly subjects?: readonly number[];
    readonly before: object;
    readonly after: object;
    readonly by: ChangedBy;
    readonly at: ReturnType<Clock['now']>;
  },
): void {
  tx.emit(
    TOPICS.operatorActions,
    0,
    OperatorActionV1.encode({
      id: `${service}:${action}:${randomUUID()}`,
      at,
      operatorId: by.operatorId,
      operator: by.operator,
      action,
      target: target.slice(0, 200),
      ...(subjects.length > 0 ? { subjects: [...new Set(subjects)] } : {}),
      reason: by.reason.slice(0, 500),
      before: shown(before),
      after: shown(after),
    }),
  );
}

const SHOWN_MAX = 2_000;
/** Long texts are cut where the whole would not fit a line of the audit log; the JSON stays readable. */
function shown(values: object): string {
  for (const length of [SHOWN_MAX, 400, 80, 20]) {
    const json = JSON.stringify(values, (_, value: unknown) =>
      typeof value === 'string' && value.length > length ? `${value.slice(0, length)}…` : value,
    );
    if (json.length <= SHOWN_MAX) return json;
  }
  return JSON.stringify({ fields: Object.keys(values).slice(0, 50) });
}
