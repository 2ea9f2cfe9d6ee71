import { expect, test } from '@jest/globals';
import { lookupPublicBy, NotPublic } from './public-lookup.js';

/** What a name with these addresses is answered with. */
const looked = (addresses: readonly string[], all: boolean): Promise<unknown> =>
  new Promise((resolve) => {
    const lookup = lookupPublicBy((_, __, answer) =>
      answer(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      ),
    );
    lookup('push.example.org', { all }, (error, found) => resolve(error ?? found));
  });

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fc00::1',
  'fe80::1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
])('a name that leads to %s is not connected to, even beside a public one [PUSH-002]', async (address) => {
  expect(await looked([address], false)).toBeInstanceOf(NotPublic);
  expect(await looked(['93.184.216.34', address], true)).toBeInstanceOf(NotPublic);
});

test('a public name is connected to at the address that was checked [PUSH-002]', async () => {
  expect(await looked(['93.184.216.34'], false)).toBe('93.184.216.34');
  expect(await looked(['93.184.216.34'], true)).toEqual([{ address: '93.184.216.34', family: 4 }]);
  expect(await looked([], false)).toBeInstanceOf(NotPublic);
});
