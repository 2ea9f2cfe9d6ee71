import { expect, test } from '@jest/globals';
import { masked, maskedEmail, maskedName, maskedPhone, securityLevel } from './profile.js';

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

test('e-mail addresses of others keep three characters of the name, never all', () => {
  expect(['trader1@demo.bourse', 'abc@x.org', 'a@x.org', '"a@b"@x.org'].map(maskedEmail)).toEqual([
    'tra****@demo.bourse',
    'ab****@x.org',
    '****@x.org',
    '"a@****@x.org',
  ]);
  expect(maskedName({ email: 'trader1@demo.bourse', phone: '5550100003' })).toBe('tra****@demo.bourse');
  expect(maskedName({ email: '', phone: '5550100003' })).toBe('555****003');
});

test('the level of security is 25 and 25 more for phone, e-mail and identity', () => {
  expect(securityLevel({ phone: false, email: false, certified: false })).toBe(25);
  expect(securityLevel({ phone: true, email: false, certified: true })).toBe(75);
  expect(securityLevel({ phone: true, email: true, certified: true })).toBe(100);
});
