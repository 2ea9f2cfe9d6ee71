import { z } from 'zod';
import { decimal, defineEvent, ms, userId } from '../define.js';
import { resultsTopic } from '../topics.js';
import { StoredAnswer } from './command.v1.js';

/**
 * The outcome of a command that named where its result goes (`resultTo`): one message for each such command, written
 * with the journal or with the refusal. On it the issuer's saga opens its object, or releases its counters.
 */
export const LedgerResultV1 = defineEvent({
  type: 'ledger.result',
  version: 1,
  /** Each issuer has a topic of its own; the command names it. */
  topic: resultsTopic('*'),
  key: (result) => result.object,
  schema: z.object({
    saga: z.string().min(1).max(60),
    object: z.string().min(1).max(120),
    userId,
    /** True: the journal is posted. False: no money has moved, and none will. */
    posted: z.boolean(),
    /** The reason for the refusal, as a caller may see it; on refusals only. */
    refusal: StoredAnswer.optional(),
    /** How much was really held, where the command holds an amount. */
    held: decimal.optional(),
    /** The ledger's time of acceptance (database time, ms), on which all decisions by time are based (rules §13). */
    acceptedAt: ms,
  }),
});
export type LedgerResult = z.output<typeof LedgerResultV1.schema>;
