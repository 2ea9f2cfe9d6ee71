import { describe, expect, test } from '@jest/globals';
import type { Config } from '@bourse/platform';
import { JwtTokens } from './jwt-tokens.js';

const [OLD, NEW] = ['the secret of before, thirty-two bytes', 'the secret of now, of thirty-two bytes'];
const under = (jwtSecret: string, ...jwtSecretsOld: string[]): JwtTokens =>
  new JwtTokens({ jwtSecret, jwtSecretsOld } as unknown as Config);
const headerOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'));

describe('tokens over a change of their secret [HARD-320]', () => {
  test('name the key that signs them without revealing the secret', () => {
    const [before, after] = [under(OLD).issue(1).token, under(NEW, OLD).issue(1).token];
    expect(headerOf(before)).toEqual({ alg: 'HS256', typ: 'JWT', kid: expect.stringMatching(/^[\w-]{11}$/) });
    expect(headerOf(after)).not.toEqual(headerOf(before));
    expect(headerOf(after)).toEqual(headerOf(under(NEW).issue(2).token));
  });

  test('of before are read while the old secret is listed, and not once it is gone', () => {
    const { token, tokenHash } = under(OLD).issue(1);
    expect(under(NEW, OLD).read(token)).toBe(tokenHash);
    expect(under(NEW).read(token)).toBeNull();
    const now = under(NEW, OLD).issue(1);
    expect(under(NEW).read(now.token)).toBe(now.tokenHash);
    expect(under(OLD).read(now.token)).toBeNull();
    expect(under(NEW, OLD).read(`${token}x`)).toBeNull();
    expect(under(NEW, OLD).read('nothing of the kind')).toBeNull();
  });
});
