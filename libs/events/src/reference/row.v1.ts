import { z } from 'zod';
import { defineEvent } from '../define.js';
import { TOPICS } from '../topics.js';

/**
 * A whole row of reference data with its version; owners publish all of them again at their start, and each service
 * keeps a copy.
 */
export const ReferenceRowV1 = defineEvent({
  type: 'reference.row',
  version: 1,
  topic: TOPICS.reference,
  key: (row) => `${row.kind}:${row.id}`,
  schema: z.object({
    kind: z.enum(['currency', 'pair', 'mode', 'setting']),
    id: z.string(),
    version: z.number().int().nonnegative(),
    row: z.record(z.string(), z.unknown()),
  }),
});
export type ReferenceRow = z.output<typeof ReferenceRowV1.schema>;
