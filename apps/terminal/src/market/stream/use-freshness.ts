import { useEffect, useState } from 'react';
import { feed } from '../../core/feed.js';
import { freshnessOf, type Freshness } from './freshness.js';

/** Age of a pair's data, checked four times a second; renders when the state changes, and while the data is old. */
export function useFreshness(symbol: string): { state: Freshness; age: number | undefined; connected: boolean } {
  const [shown, setShown] = useState<{ state: Freshness; age: number | undefined; connected: boolean }>({
    state: 'fresh',
    age: undefined,
    connected: true,
  });
  useEffect(() => {
    const started = performance.now();
    const update = (): void => {
      const connected = feed.status === 'live';
      // Before the first data there is nothing old to warn of; after five seconds without any there is.
      const age = Math.min(feed.ageOf(symbol), performance.now() - started);
      const state = freshnessOf(age, connected || age < 3_000);
      setShown((was) =>
        state === 'fresh'
          ? was.state === 'fresh' && was.connected === connected
            ? was
            : { state, age: undefined, connected }
          : { state, age: Math.floor(age / 100) * 100, connected },
      );
    };
    update();
    const timer = setInterval(update, 250);
    return () => clearInterval(timer);
  }, [symbol]);
  return shown;
}
