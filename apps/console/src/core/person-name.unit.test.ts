import { expect, test } from '@jest/globals';
import { nameOf } from './person-name.js';

test('a person is called by the name, else by a contact, else by the account [CONSOLE-331]', () => {
  const person = { id: 7, account_number: 'B7', name: 'Ada', email: 'ada@example.com', phone: '5550100' };
  expect(nameOf(person)).toBe('Ada');
  expect(nameOf({ ...person, name: '' })).toBe('ada@example.com');
  expect(nameOf({ ...person, name: '', email: '' })).toBe('5550100');
  expect(nameOf({ ...person, name: '', email: '', phone: '' })).toBe('B7');
});
