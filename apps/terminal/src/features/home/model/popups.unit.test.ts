import { expect, test } from '@jest/globals';
import { markOf, popupOf, withSeen } from './popups.js';

const popup = { id: 3301, update_time: '2026-01-01 00:00:00' };
const gift = { id: 3201, update_time: '2026-01-01 00:00:00' };

test('one item at a time: the notice first, then the gift, then nothing [HOME-003]', () => {
  expect(popupOf([popup, gift], [])).toBe(popup);
  expect(popupOf([popup, gift], [markOf(popup)])).toBe(gift);
  expect(popupOf([undefined, gift], [])).toBe(gift);
  expect(popupOf([popup, gift], withSeen(withSeen([], popup), gift))).toBeUndefined();
});

test('an item that has changed is shown again [HOME-003]', () => {
  const changed = { ...popup, update_time: '2026-01-02 00:00:00' };
  expect(popupOf([changed], [markOf(popup)])).toBe(changed);
});

test('forty marks are kept, the newest last, none twice [HOME-003]', () => {
  let seen: string[] = [];
  for (let id = 0; id < 60; id++) seen = withSeen(seen, { id, update_time: 'x' });
  seen = withSeen(seen, { id: 30, update_time: 'x' });
  expect([seen.length, seen.at(-1), seen.filter((mark) => mark === '30@x').length]).toEqual([40, '30@x', 1]);
});
