import {
  isPrivateEvent,
  PRIVATE_EVENTS,
  PUBLIC_EVENTS,
  type PrivateEventName,
  type PrivatePayload,
  type PublicEventName,
  type PublicPayload,
} from '@bourse/contract';
import * as z from 'zod/mini';

// The page's policy admits no code made at run time, and a refused try would be reported.
z.config({ jitless: true });

/** Public events by name, as the socket sends them. */
export type PublicEvents = { [E in PublicEventName]: PublicPayload<E> };
export type PrivateEvents = { [E in PrivateEventName]: PrivatePayload<E> };
export const PUBLIC_NAMES = Object.keys(PUBLIC_EVENTS) as PublicEventName[];
export const PRIVATE_NAMES = Object.keys(PRIVATE_EVENTS).filter(isPrivateEvent);

/** The payload of a public event, or undefined when it does not fit the contract. */
export function decodePublic<E extends PublicEventName>(event: E, payload: unknown): PublicEvents[E] | undefined {
  return decoded<PublicEvents[E]>(PUBLIC_EVENTS[event].payload, payload);
}

/** The payload of a private event, or undefined when it does not fit the contract. */
export function decodePrivate<E extends PrivateEventName>(event: E, payload: unknown): PrivateEvents[E] | undefined {
  return decoded<PrivateEvents[E]>(PRIVATE_EVENTS[event].payload, payload);
}

function decoded<T>(schema: z.core.$ZodType, payload: unknown): T | undefined {
  return z.core.safeParse(schema, payload).success ? (payload as T) : undefined;
}
