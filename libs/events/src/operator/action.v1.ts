import { z } from 'zod';
import { defineEvent, ms } from '../define.js';
import { TOPICS } from '../topics.js';

/**
 * An operator's action and its reason, sent in the transaction of the change by the service that made it (api §2.12).
 * `id` is unique for ever: `<service>:<action>:<object>`.
 */
export const OperatorActionV1 = defineEvent({
  type: 'operator.action',
  version: 1,
  topic: TOPICS.operatorActions,
  key: (action) => String(action.operatorId),
  schema: z.object({
    id: z.string().min(1).max(160),
    at: ms,
    /** 0: no operator, but the service that `operator` names. */
    operatorId: z.number().int().nonnegative(),
    operator: z.string(),
    /** Named after its call: `kyc.decide`, `withdrawals.approve`. */
    action: z.string().min(1).max(60),
    target: z.string().max(200),
    /** Persons concerned, beside one that `target` names: the owner of a withdrawal, both parties of a deal. */
    subjects: z.array(z.number().int().positive()).max(4).optional(),
    reason: z.string().max(500),
    before: z.string().max(2_000),
    after: z.string().max(2_000),
  }),
});
export type OperatorAction = z.output<typeof OperatorActionV1.schema>;
