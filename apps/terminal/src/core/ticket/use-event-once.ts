import { useEffect, useEffectEvent } from 'react';

/** Events that a form has taken. */
const taken = new WeakSet<object>();

/**
 * Passes an event to the form that takes it, once: a form that is mounted later, as that of the next pair, does not
 * receive it again. Each event is an object of its own.
 *
 * @param take returns whether this form has taken the event
 */
export function useEventOnce<E extends object>(event: E | undefined, take: (event: E) => boolean): void {
  const offer = useEffectEvent((given: E) => {
    if (!taken.has(given) && take(given)) taken.add(given);
  });
  useEffect(() => {
    if (event) offer(event);
  }, [event]);
}
