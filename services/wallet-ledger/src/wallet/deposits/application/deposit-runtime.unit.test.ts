import { afterEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Lease } from '@bourse/messaging';
import { Alarms, type Clock } from '@bourse/platform';
import { ChainUnreadable, type Chain } from '../../chains/application/chain.js';
import { DepositRuntime } from './deposit-runtime.js';

const nothing = {} as never;

/** Watches a chain with this answer of its node until the lease ends; answers the alarms before and after that. */
async function watch(answer: () => never): Promise<{ during: string[]; after: string[] }> {
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const alarms = new Alarms();
  const clock = { real: () => Date.now(), now: () => Date.now() } as Clock;
  const currencies = { ready: () => Promise.resolve(), scaleOf: () => 8 } as never;
  const runtime = new DepositRuntime(
    ...([nothing, nothing, nothing, nothing, nothing, currencies, nothing, alarms, clock, nothing, nothing] as const),
  );
  const lease = new AbortController();
  const asked: (() => void)[] = [];
  const isAsked = new Promise<void>((resolve) => asked.push(resolve));
  const chain = {
    name: 'bitcoin',
    tip: () => {
      for (const tell of asked) setImmediate(tell);
      return answer();
    },
  } as unknown as Chain;
  const names = (): string[] => alarms.list().map(({ name }) => name);
  const watching = (runtime as unknown as { watch(chains: readonly Chain[], lease: Lease): Promise<void> }).watch(
    [chain],
    { signal: lease.signal } as Lease,
  );
  await isAsked;
  const during = names();
  lease.abort();
  await watching.catch(() => undefined);
  return { during, after: names() };
}
afterEach(() => {
  jest.restoreAllMocks();
});

test('a chain that cannot be read raises its alarm, which ends with the watch [CLIENT-255]', async () => {
  const { during, after } = await watch(() => {
    throw new ChainUnreadable('an amount that is none');
  });
  expect(during).toEqual(['chain:bitcoin:silent']);
  expect(after).toEqual([]);
});

test('a database that is away for a moment raises no alarm of a chain [CLIENT-255]', async () => {
  const { during, after } = await watch(() => {
    throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
  });
  expect([during, after]).toEqual([[], []]);
});
