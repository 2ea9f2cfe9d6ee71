import { expect, test } from '@jest/globals';
import { PushAlerts } from './push-alerts.js';
import type { PriceRange, PushStore } from './push-ports.js';

const SYMBOL = 'BTC/USDT';
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Alerts with a store whose checks end as the test says. */
function watched() {
  let tick: (price: string) => void = () => undefined;
  const checks: { range: PriceRange | undefined; end: (outcome: boolean | Promise<never>) => void }[] = [];
  const store = {
    hasReached: (ranges: ReadonlyMap<string, PriceRange>) =>
      new Promise<boolean>((end) => checks.push({ range: ranges.get(SYMBOL), end })),
  } as unknown as PushStore;
  const marks = {
    onTicks: (listener: (ticks: readonly object[]) => void) => {
      tick = (price) => listener([{ symbol: SYMBOL, price }]);
      return () => undefined;
    },
  };
  new PushAlerts(...([{}, store, {}, {}, marks] as unknown as ConstructorParameters<typeof PushAlerts>)) //
    .onApplicationBootstrap();
  return { checks, tick: (price: string) => tick(price) };
}

test('a price between two checks reaches its alerts in the second one [PUSH-015]', async () => {
  const { checks, tick } = watched();
  for (const price of ['100', '99.5', '101', '100.25']) tick(price);
  expect(checks.map(({ range }) => range)).toEqual([{ low: '100', high: '100' }]);
  checks[0]!.end(false);
  await pause();
  tick('100.5');
  expect(checks[1]!.range).toEqual({ low: '99.5', high: '101' });
  checks[1]!.end(false);
  await pause();
  tick('9.5');
  expect(checks[2]!.range).toEqual({ low: '9.5', high: '9.5' });
});

test('prices whose check fails are of the next check too [PUSH-015]', async () => {
  const { checks, tick } = watched();
  tick('120');
  checks[0]!.end(Promise.reject(new Error('no database')));
  await pause();
  tick('100');
  expect(checks[1]!.range).toEqual({ low: '100', high: '120' });
});
