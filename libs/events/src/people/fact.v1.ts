import { z } from 'zod';
import { defineEvent, ms, userId } from '../define.js';
import { TOPICS } from '../topics.js';

/**
 * A change in a person's status: registered, with the inviter (null: none), or certified. Each is emitted once, in the
 * transaction that makes it true; `at` is business time.
 */
export const PersonFactV1 = defineEvent({
  type: 'people.fact',
  version: 1,
  topic: TOPICS.peopleFacts,
  key: (fact) => String(fact.userId),
  schema: z.discriminatedUnion('fact', [
    z.object({ fact: z.literal('registered'), userId, inviterId: userId.nullable(), at: ms }),
    z.object({ fact: z.literal('certified'), userId, at: ms }),
  ]),
});
export type PersonFact = z.output<typeof PersonFactV1.schema>;
