import { expect, test } from '@jest/globals';
import { choice, decimal, flag, integer, list, text, texts, WrongValue, type ValueType } from './value-types.js';
import { defineSetting } from './define.js';

const refuses = (type: ValueType<unknown>, given: string): void => {
  expect(() => type.read(given)).toThrow(WrongValue);
};

test('each type reads its own texts, and refuses values outside of its bounds [SETTING-003]', () => {
  expect(flag().read('1')).toBe(true);
  expect(flag().write(false)).toBe('0');
  for (const wrong of ['', 'true', '2', ' 1']) refuses(flag(), wrong);

  const count = integer({ min: 1, max: 1_000 });
  expect([count.read('1000'), count.write(7)]).toEqual([1_000, '7']);
  for (const wrong of ['0', '1001', '-1', '1.0', '01', '1e2', '']) refuses(count, wrong);

  const rate = decimal({ scale: 4, min: '0.01', max: '5' });
  expect([rate.read('0.1'), rate.write(1_000n as never)]).toEqual([1_000n, '0.1']);
  for (const wrong of ['0', '0.001', '5.0001', '0.10001', '-0.1', '1e1', '']) refuses(rate, wrong);

  const address = text({ max: 12, pattern: /^https:/ });
  expect([address.read(''), address.read('https://a.b')]).toEqual(['', 'https://a.b']);
  for (const wrong of ['ftp://a.b', 'https://a.bcd', 'https:\u0000']) refuses(address, wrong);

  expect(choice(['slow', 'fast']).read('fast')).toBe('fast');
  refuses(choice(['slow', 'fast']), 'Fast');

  const steps = list(integer({ min: 1, max: 100 }), { min: 1, max: 3 });
  expect([steps.read('5 10 20'), steps.write([5, 10])]).toEqual([[5, 10, 20], '5 10']);
  for (const wrong of ['', '5,10', '5  10', '1 2 3 4', '0']) refuses(steps, wrong);
});

test('a text by language takes the languages of the exchange alone, and drops empty ones [SETTING-003]', () => {
  const note = texts({ max: 20 });
  expect(note.read('{"zh":"备注","en":"Note\\nmore","fr":""}')).toEqual({ en: 'Note\nmore', zh: '备注' });
  expect([note.read(''), note.write({})]).toEqual([{}, '']);
  for (const wrong of ['[]', '{', '{"xx":"a"}', '{"en":1}', `{"en":"${'a'.repeat(21)}"}`, '{"en":"a\\u0000"}'])
    refuses(note, wrong);
});

test('a default outside of its own bounds is a mistake of the program [SETTING-003]', () => {
  expect(() =>
    defineSetting('lever.share_max', integer({ min: 1, max: 5 }), 6, 'Too much.', { guarded: true }),
  ).toThrow(WrongValue);
  expect(() => defineSetting('Lever share', flag(), true, 'No key.', { guarded: true })).toThrow(RangeError);
});
