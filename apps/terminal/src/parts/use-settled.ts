import { useEffect, useEffectEvent } from 'react';

/** Calls `onSettled` once, when the readings of a part have come or failed: what is below can be shown then. */
export function useSettled(isSettled: boolean, onSettled: () => void): void {
  const report = useEffectEvent(onSettled);
  useEffect(() => {
    if (isSettled) report();
  }, [isSettled]);
}
