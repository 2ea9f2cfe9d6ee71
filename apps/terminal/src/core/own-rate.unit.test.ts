import { afterEach, expect, jest, test } from '@jest/globals';
import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { LEVEL_AGE } from './own-rate.js';

afterEach(() => {
  jest.useRealTimers();
  environmentManager.setIsServer(() => typeof window === 'undefined');
});

test('a page that stays open asks for the fee level again: it changes after midnight [TICKET-034]', async () => {
  // On a server nothing is asked for again.
  environmentManager.setIsServer(() => false);
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
});
