import { expect, test } from '@jest/globals';
import type { Config } from '@bourse/platform';
import { AesSeal } from './aes-seal.js';

const sealUnder = (passwordPepper: string): AesSeal => new AesSeal({ passwordPepper } as Config);

test('a sealed text opens for its purpose and under its pepper only, unchanged only, and never looks the same twice [AUTH-104]', () => {
  const seal = sealUnder('a pepper for tests only');
  const sealed = seal.seal('card', 'Ü-1234');
  expect(seal.open('card', sealed)).toBe('Ü-1234');
  expect(seal.seal('card', 'Ü-1234')).not.toBe(sealed);
  expect(() => seal.open('totp', sealed)).toThrow();
  expect(() => sealUnder('another pepper for tests').open('card', sealed)).toThrow();
  const bytes = Buffer.from(sealed, 'base64url');
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => seal.open('card', changed.toString('base64url'))).toThrow();
  }
  // A tag cut short would be guessed sooner.
  expect(() => seal.open('card', bytes.subarray(0, 20).toString('base64url'))).toThrow();
});
