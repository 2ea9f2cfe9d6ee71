import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Config } from '@bourse/platform';
import { AesSeal } from './aes-seal.js';

const PEPPER = 'a pepper for tests only';
const sealUnder = (passwordPepper: string, passwordPeppersOld: string[] = [], dataKeys: object[] = []): AesSeal =>
  new AesSeal({ passwordPepper, passwordPeppersOld, dataKeys } as unknown as Config);
/** As releases before key ids sealed. */
function earlier(pepper: string, purpose: string, text: string): string {
  const nonce = randomBytes(12);
  const key = Buffer.from(hkdfSync('sha256', pepper, '', `bourse ${purpose}`, 32));
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

test('a sealed text opens only for its purpose, record and key, and never repeats [AUTH-104]', () => {
  const seal = sealUnder(PEPPER);
  const sealed = seal.seal('card', 'Ü-1234');
  expect(seal.open('card', sealed)).toBe('Ü-1234');
  expect(seal.seal('card', 'Ü-1234')).not.toBe(sealed);
  expect(() => seal.open('totp', sealed)).toThrow();
  expect(() => seal.open('card', sealed, '100001')).toThrow();
  expect(() => sealUnder('another pepper for tests').open('card', sealed)).toThrow();
});

test('opens a text sealed under a pepper without an id, as long as the pepper is known [HARD-316]', () => {
  const sealed = earlier(PEPPER, 'card', 'Ü-1234');
  for (const seal of [
    sealUnder(PEPPER),
    sealUnder('the next pepper', [PEPPER]),
    sealUnder('the next pepper', [PEPPER], [{ id: 'k1', secret: 'x'.repeat(32) }]),
  ]) {
    expect(seal.open('card', sealed)).toBe('Ü-1234');
    expect([seal.isCurrent(sealed), seal.isCurrent(seal.seal('card', 'Ü-1234'))]).toEqual([false, true]);
  }
  expect(() => sealUnder(PEPPER).open('totp', sealed)).toThrow();
  expect(() => sealUnder('the next pepper').open('card', sealed)).toThrow();
  const bytes = Buffer.from(sealed, 'base64url');
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => sealUnder(PEPPER).open('card', changed.toString('base64url'))).toThrow();
  }
  // A tag cut short would be guessed sooner.
  expect(() => sealUnder(PEPPER).open('card', bytes.subarray(0, 20).toString('base64url'))).toThrow();
});
