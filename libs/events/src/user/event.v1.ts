import type { PrivateEventName, PrivatePayload } from '@bourse/contract';
import { z } from 'zod';
import { defineEvent, opaque, userId, type Message } from '../define.js';
import { TOPICS } from '../topics.js';

/**
 * A private event for one user's sockets (api §4). The gateway numbers it; it is a view: all its data can be read by
 * REST. `PRIVATE_EVENTS` of the contract lists the events; the gateway drops any other.
 */
export const UserEventV1 = defineEvent({
  type: 'user.event',
  version: 1,
  topic: TOPICS.userEvents,
  key: (event) => String(event.userId),
  schema: z.object({ userId, event: z.string().min(1).max(40), payload: opaque }),
});
export type UserEvent = z.output<typeof UserEventV1.schema>;

/** The payload that the owner of an event sends; the gateway adds the time and the number. */
export type EventPayload<E extends PrivateEventName> = Omit<PrivatePayload<E>, 'ts' | 'user_seq'>;

/**
 * A private event of the registry (`PRIVATE_EVENTS` of the contract) for one user: emitted to `user.events` in the
 * transaction that makes it true.
 */
export const userEvent = <E extends PrivateEventName>(
  user: number,
  event: E,
  payload: EventPayload<E>,
): Message<UserEvent> => UserEventV1.encode({ userId: user, event, payload });
