import { expect, test } from '@jest/globals';
import { masked, maskedPhone, securityLevel } from './profile.js';

test('phones of others lose their middle four digits, card numbers all but their ends', () => {
  expect(['5550100003', '912345678', '12345', '1234', '12', ''].map(maskedPhone)).toEqual([
    '555****003',
    '91****678',
    '****5',
    '****',
    '**',
    '',
  ]);
  expect(['AB1234567', 'ABCD', 'A', ''].map(masked)).toEqual(['AB*****67', '***D', 'A', '']);
});

test('a phone written with its country and spaces loses four digits too', () => {
  expect(maskedPhone('+351 210 000 000')).toBe('3512****0000');
  expect(maskedPhone('+86-138 0013 8000')).toBe('8613****38000');
});

test('the level of security is 25 and 25 more for phone, e-mail and identity', () => {
  expect(securityLevel({ phone: false, email: false, certified: false })).toBe(25);
  expect(securityLevel({ phone: true, email: false, certified: true })).toBe(75);
  expect(securityLevel({ phone: true, email: true, certified: true })).toBe(100);
});
