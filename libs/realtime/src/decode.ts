import type { PrivateEventName, PrivatePayload, PublicEventName, PublicPayload } from '@bourse/contract';
import { fits } from './fits.js';
import { PRIVATE_NAMES, PUBLIC_SHAPES } from './push-shapes.js';

/** Public events by name, as the socket sends them. */
export type PublicEvents = { [E in PublicEventName]: PublicPayload<E> };
export type PrivateEvents = { [E in PrivateEventName]: PrivatePayload<E> };
export const PUBLIC_NAMES = Object.keys(PUBLIC_SHAPES) as PublicEventName[];

export const isPrivateName = (name: string): name is PrivateEventName =>
  (PRIVATE_NAMES as readonly string[]).includes(name);

/** The payload of a public event, or undefined when it does not fit the contract. */
export function decodePublic<E extends PublicEventName>(event: E, payload: unknown): PublicEvents[E] | undefined {
  if (!fits(PUBLIC_SHAPES[event].payload, payload)) return undefined;
  if (event === 'market_depth' && !inPairs(payload as PublicEvents['market_depth'])) return undefined;
  return payload as PublicEvents[E];
}

/** Flat levels are prices and numbers by turns: JSON Schema has no word for that. */
const inPairs = (push: PublicEvents['market_depth']): boolean =>
  push.kind === 'full' || (push.b.length % 2 === 0 && push.a.length % 2 === 0);
