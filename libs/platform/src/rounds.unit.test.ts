import { expect, test } from '@jest/globals';
import { Rounds } from './rounds.js';

/** Rounds that end in their order, each when the test says so. */
function controlledRounds() {
  const ends: { readonly succeed: () => void; readonly fail: () => void }[] = [];
  const rounds = new Rounds(() => {
    const number = ends.length + 1;
    return new Promise<number>((resolve, reject) =>
      ends.push({ succeed: () => resolve(number), fail: () => reject(new Error(`round ${number}`)) }),
    );
  });
  return { rounds, ends };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('all calls during a round share the next one [AUDIT-030]', async () => {
  const { rounds, ends } = controlledRounds();
  const first = rounds.next();
  await turn();
  const later = [rounds.next(), rounds.next()];
  await turn();
  expect(ends).toHaveLength(1);
  ends[0]?.succeed();
  expect(await first).toBe(1);
  await turn();
  expect(rounds.isRunning).toBe(true);
  ends[1]?.succeed();
  expect(await Promise.all(later)).toEqual([2, 2]);
  expect(rounds.isRunning).toBe(false);
});

test('a failed round fails its own callers only [AUDIT-030]', async () => {
  const { rounds, ends } = controlledRounds();
  const first = rounds.next();
  await turn();
  const second = rounds.next();
  const settled = rounds.settled();
  ends[0]?.fail();
  await expect(first).rejects.toThrow('round 1');
  await settled;
  await turn();
  ends[1]?.succeed();
  expect(await second).toBe(2);
});
