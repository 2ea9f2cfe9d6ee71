import { expect, test } from '@jest/globals';
import type { Config } from '@bourse/platform';
import { SimpleWebAuthn } from './simple-web-authn.js';

test('an install without a public name refuses every passkey as unavailable [AUTH-112]', async () => {
  const nameless = new SimpleWebAuthn({
    publicOrigins: ['http://192.0.2.1'],
    dev: false,
    port: 80,
  } as Partial<Config> as Config);
  const unavailable = { key: 'passkey.unavailable' };
  await expect(nameless.request([])).rejects.toMatchObject(unavailable);
  await expect(nameless.creation({ id: 7, name: 'a@b.example' }, [])).rejects.toMatchObject(unavailable);
});
