import { expect, jest, test } from '@jest/globals';

test('a page that stays open asks for the fee level again: it changes after midnight [TICKET-034]', async () => {
  // Without a window the library takes this for a server, where nothing is asked for again.
  Object.assign(globalThis, { window: globalThis });
  const { QueryClient, QueryObserver } = await import('@tanstack/react-query');
  const { LEVEL_AGE } = await import('./own-rate.js');
  jest.useFakeTimers();
  let asked = 0;
  const observer = new QueryObserver(new QueryClient(), {
    queryKey: ['level'],
    ...LEVEL_AGE,
    queryFn: () => Promise.resolve(++asked),
  });
  const leave = observer.subscribe(() => undefined);
  await jest.advanceTimersByTimeAsync(599_000);
  expect(asked).toBe(1);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(asked).toBe(2);
  leave();
  jest.useRealTimers();
});
