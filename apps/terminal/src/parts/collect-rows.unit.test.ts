import { expect, test } from '@jest/globals';
import { collectRows } from './collect-rows.js';

test('a row that new ones moved to the next page appears once, in its first place [UI-055]', () => {
  const pages = [{ data: [{ id: '9' }, { id: '8' }] }, { data: [{ id: '8' }, { id: '7' }] }];
  expect(collectRows({ pages }, ({ data }) => data)?.map(({ id }) => id)).toEqual(['9', '8', '7']);
  expect(collectRows(undefined, ({ data }: { data: { id: string }[] }) => data)).toBeUndefined();
});
