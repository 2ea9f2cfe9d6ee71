import type { PrivateEventName, PrivatePayload, PublicEventName, PublicPayload } from '@bourse/contract';
import { fits } from './fits.js';
import { PRIVATE_SHAPES, PUBLIC_SHAPES } from './push-shapes.js';

/** Public events by name, as the socket sends them. */
export type PublicEvents = { [E in PublicEventName]: PublicPayload<E> };
export type PrivateEvents = { [E in PrivateEventName]: PrivatePayload<E> };
export const PUBLIC_NAMES = Object.keys(PUBLIC_SHAPES) as PublicEventName[];
export const PRIVATE_NAMES = Object.keys(PRIVATE_SHAPES) as PrivateEventName[];

export const isPrivateName = (name: string): name is PrivateEventName => Object.hasOwn(PRIVATE_SHAPES, name);

/** The payload of a public event, or undefined when it does not fit the contract. */
export function decodePublic<E extends PublicEventName>(event: E, payload: unknown): PublicEvents[E] | undefined {
  if (!fits(PUBLIC_SHAPES[event].payload, payload)) return undefined;
  if (event === 'market_depth' && !inPairs(payload as PublicEvents['market_depth'])) return undefined;
  return payload as PublicEvents[E];
}

/** The payload of a private event, or undefined when it does not fit the contract. */
export function decodePrivate<E extends PrivateEventName>(event: E, payload: unknown): PrivateEvents[E] | undefined {
  return fits(PRIVATE_SHAPES[event].payload, payload) ? (payload as PrivateEvents[E]) : undefined;
}

/** Flat levels are prices and numbers by turns: JSON Schema has no word for that. */
const inPairs = (push: PublicEvents['market_depth']): boolean =>
  push.kind === 'full' || (push.b.length % 2 === 0 && push.a.length % 2 === 0);
