import type { PrivateEvents } from './decode.js';
import { fits } from './fits.js';
import { PRIVATE_SHAPES } from './private-shapes.js';

/** The payload of a private event, or undefined when it does not fit the contract. */
export function decodePrivate<E extends keyof PrivateEvents>(event: E, payload: unknown): PrivateEvents[E] | undefined {
  return fits(PRIVATE_SHAPES[event].payload, payload) ? (payload as PrivateEvents[E]) : undefined;
}
