import { expect, test } from '@jest/globals';
import { withBox } from './boxes.js';

const box = (id: string) => ({ id, currency: 3, amount: '5', closes_at: 1 });

test('a pushed box is first, once, and goes when it closes [TEMPLATE-005]', () => {
  const one = withBox([], { ...box('1'), state: 'open' });
  const both = withBox(one, { ...box('2'), state: 'open' });
  expect(both.map(({ id }) => id)).toEqual(['2', '1']);
  expect(withBox(both, { ...box('1'), state: 'open' }).map(({ id }) => id)).toEqual(['1', '2']);
  expect(withBox(both, { ...box('2'), state: 'closed' })).toEqual([box('1')]);
});
