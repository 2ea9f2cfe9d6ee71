import { expect, test } from '@jest/globals';
import { memoize } from './memoize.js';

test('a result is computed once, until so many others came', () => {
  const computed: string[] = [];
  const lengthOf = memoize((text: string) => {
    computed.push(text);
    return text.length;
  }, 2);
  expect(['a', 'a', 'bb', 'ccc', 'a'].map(lengthOf)).toEqual([1, 1, 2, 3, 1]);
  expect(computed).toEqual(['a', 'bb', 'ccc', 'a']);
});

test('an argument that is not kept is computed each time', () => {
  let times = 0;
  const count = memoize(
    () => (times += 1),
    10,
    (text: string) => text.length < 3,
  );
  expect([count('long'), count('long'), count('ab'), count('ab')]).toEqual([1, 2, 3, 3]);
});
