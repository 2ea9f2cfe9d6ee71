import { describe, expect, test } from '@jest/globals';
import { admit } from './admission.js';

const NOBODY = { is_seller: 0, is_acceptor: 0, is_region: 0 } as const;
const guest = { signedIn: false, info: undefined, infoFailed: false };
const person = { signedIn: true, info: NOBODY, infoFailed: false };

describe('access to a screen [TERM-005]', () => {
  test('open screens and those with a sign-in of their own are shown to guests', () => {
    expect([admit('open', guest), admit('points', guest)]).toEqual(['screen', 'screen']);
  });

  test('a session opens screens of persons; guests are led to the sign-in', () => {
    expect([admit('user', person), admit('user', guest)]).toEqual(['screen', 'signIn']);
  });

  test.each([
    ['seller', 'is_seller'],
    ['acceptor', 'is_acceptor'],
    ['agent', 'is_region'],
  ] as const)('%s: the role of the profile decides, and no other', (guard, flag) => {
    expect([
      admit(guard, guest),
      admit(guard, person),
      admit(guard, { ...person, info: { ...NOBODY, [flag]: 1 } }),
      admit(guard, { ...person, info: { is_seller: 1, is_acceptor: 1, is_region: 1, [flag]: 0 } }),
    ]).toEqual(['signIn', 'refused', 'screen', 'refused']);
  });

  test('until the profile is read nothing is decided; if it cannot be read the server checks', () => {
    expect([
      admit('agent', { ...person, info: undefined }),
      admit('agent', { ...person, info: undefined, infoFailed: true }),
    ]).toEqual(['wait', 'screen']);
  });
});
