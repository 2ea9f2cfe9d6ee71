import { expect, test } from '@jest/globals';
import { mobileTarget, supportAddress } from './addresses.js';

test('the support chat gets the identity of the person with any form of address [FRONT-001]', () => {
  expect(supportAddress('', '7')).toBeUndefined();
  expect(supportAddress('https://chat.example/', '7')).toBe('https://chat.example/?user_id=7');
  expect(supportAddress('https://chat.example/?a=1#talk', '7')).toBe('https://chat.example/?a=1&user_id=7#talk');
  expect(supportAddress('/chat', '7')).toBe('/chat?user_id=7');
});

test('a guest has no identity, and a mail address or a telephone gets no parameters [FRONT-001]', () => {
  expect(supportAddress('https://chat.example/', null)).toBe('https://chat.example/');
  expect(supportAddress('mailto:help@example.org', '7')).toBe('mailto:help@example.org');
  expect(supportAddress('tel:+15550100', '7')).toBe('tel:+15550100');
});

test('phones are redirected to the address of the operator, never in a loop [FRONT-002]', () => {
  const at = (href: string) => ({ href });
  const home = at('https://bourse.example/');
  expect(mobileTarget('', home)).toBeUndefined();
  expect(mobileTarget('https://m.bourse.example/', home)).toBe('https://m.bourse.example/');
  expect(mobileTarget('/m', home)).toBe('https://bourse.example/m');
  expect(mobileTarget('/m', at('https://bourse.example/m/markets?a=1'))).toBeUndefined();
  expect(mobileTarget('/', home)).toBeUndefined();
  expect(mobileTarget('/', at('https://bourse.example/allmarket'))).toBeUndefined();
});

test('an address that is no page is no target [FRONT-002]', () => {
  const home = { href: 'https://bourse.example/' };
  for (const path of ['mailto:a@b.c', 'tel:1', 'javascript:alert(1)', '//elsewhere.example'])
    expect(mobileTarget(path, home)).toBeUndefined();
});
