import { expect, test } from '@jest/globals';
import { readAddresses } from './api-key-access.js';

test('addresses of a key are read in one form, at most ten, none that is none [AUTH-130]', () => {
  expect(readAddresses('')).toEqual([]);
  expect(readAddresses(' 192.0.2.1,192.0.2.2  192.0.2.1 ')).toEqual(['192.0.2.1', '192.0.2.2']);
  expect(readAddresses('2001:0DB8:0000::0001, ::FFFF:192.0.2.9')).toEqual(['2001:db8::1', '192.0.2.9']);
  for (const wrong of ['192.0.2', '192.0.2.1/24', 'fe80::1%1', 'host.example', '192.0.2.1;192.0.2.2'])
    expect([wrong, readAddresses(wrong)]).toEqual([wrong, null]);
  expect(readAddresses(Array.from({ length: 10 }, (_, at) => `10.0.0.${at}`).join(','))).toHaveLength(10);
  expect(readAddresses(Array.from({ length: 11 }, (_, at) => `10.0.0.${at}`).join(','))).toBeNull();
});
