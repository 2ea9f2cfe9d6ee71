import type { Message } from '@bourse/events';
import type { Step } from '../ownership/ownership.js';
import { Fenced, type Delivery } from '../ports.js';

/** Positions before and after the rows of a batch, per stream. */
export function stepsOf(deliveries: readonly Delivery[]): Step[] {
  const steps = new Map<string, { stream: string; expected: number; number: number; hash: string }>();
  for (const delivery of deliveries) {
    if (delivery.kind !== 'row') continue;
    const { stream, number, hash } = delivery.row;
    const step = steps.get(stream);
    if (!step) steps.set(stream, { stream, expected: number - 1, number, hash });
    else if (number !== step.number + 1)
      throw new Error(`invariant: ${stream} #${number} follows #${step.number} in a batch`);
    else Object.assign(step, { number, hash });
  }
  // One lock order for all.
  return [...steps.values()].sort((a, b) => (a.stream < b.stream ? -1 : 1));
}

/** Why an ownership has ended, as the error that `take` rejects with. */
export function fencedBy(signal: AbortSignal): Error {
  return signal.reason instanceof Fenced ? signal.reason : new Fenced('ownership has ended');
}

/** The messages of a delivery, in order. */
export function messagesOf(delivery: Delivery): readonly Message[] {
  return delivery.kind === 'row' ? delivery.messages : [delivery.message];
}
