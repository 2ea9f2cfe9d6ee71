import { expect, test } from '@jest/globals';
import { CircuitBreaker } from './circuit-breaker.js';

test('failures in a row open it, one try closes it or opens it again [POINTS-052]', async () => {
  let now = 0;
  let asked = 0;
  const circuit = new CircuitBreaker({ failures: 3, openMs: 1_000 }, () => now);
  const ask = (works: boolean): Promise<string> =>
    circuit
      .run(
        () => {
          asked += 1;
          return works ? Promise.resolve('done') : Promise.reject(new Error('down'));
        },
        () => new Error('open'),
      )
      .catch((error: Error) => error.message);
  expect(await ask(false)).toBe('down');
  expect(await ask(true)).toBe('done');
  for (let times = 0; times < 3; times++) expect(await ask(false)).toBe('down');
  expect([await ask(true), asked]).toEqual(['open', 5]);
  now = 1_000;
  expect(await Promise.all([ask(false), ask(true)])).toEqual(['down', 'open']);
  expect(await ask(true)).toBe('open');
  now = 2_000;
  expect(await ask(true)).toBe('done');
  expect(await ask(true)).toBe('done');
  expect(asked).toBe(8);
});
