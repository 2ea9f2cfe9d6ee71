import { expect, test } from '@jest/globals';
import { isOfIdentity, hasOwnToast, noticeLink } from './notice-news.js';

test('a notice has a toast where the page does not report its event itself [INBOX-001]', () => {
  const to = (link: string): string => `<p>Text</p><p><a href="${link}">Open</a></p>`;
  expect(noticeLink(to('/complaints?id=7'))).toBe('/complaints');
  expect(noticeLink('<p>Text</p>')).toBeUndefined();
  expect(hasOwnToast(to('/account/accountEntrust'))).toBe(true);
  expect(hasOwnToast(to('/c2cDetail?id=42'))).toBe(true);
  expect(hasOwnToast(to('/complaints?id=7'))).toBe(false);
  expect(hasOwnToast('<p>Text</p>')).toBe(false);
});

test('the link of a notice, by either address of the screen, marks a decision on papers [NOTE-009]', () => {
  const to = (link: string): string => `<p>Text</p><p><a href="${link}">Open</a></p>`;
  expect(['/account/authentication', '/authentication'].map((link) => isOfIdentity(to(link)))).toEqual([true, true]);
  expect([to('/account/accountSet'), '<p>Text</p>'].map(isOfIdentity)).toEqual([false, false]);
});
