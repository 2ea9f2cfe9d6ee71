import { expect, test } from '@jest/globals';
import { randomId, RandomIds } from './ids.js';

const LAST = (1n << 63n) - 1n;

test.each([
  ['one by one', randomId],
  [
    'by the hundred',
    (
      (ids) => () =>
        ids.next()
    )(new RandomIds()),
  ],
])('ids drawn %s are decimal text of 63 bits that follows nothing, and none comes twice', (_, next) => {
  const ids = Array.from({ length: 1_000 }, next);
  for (const id of ids) expect(id).toMatch(/^[1-9][0-9]{0,18}$/);
  const values = ids.map(BigInt);
  expect(values.every((id) => id > 0n && id <= LAST)).toBe(true);
  // All 63 bits are drawn: of a thousand ids, none above half would be an accident of 2^-1000.
  expect(values.some((id) => id > LAST / 2n) && values.some((id) => id < LAST / 2n)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});
