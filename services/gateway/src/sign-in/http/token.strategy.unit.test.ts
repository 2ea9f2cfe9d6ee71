import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { TokenKeys, type Caller, type Config } from '@bourse/platform';
import type { Claims, Sessions } from '../application/sessions.js';
import { TokenStrategy } from './token.strategy.js';

const SECRET = 'a secret of more than thirty-two bytes';
const OLD = 'the secret of before, thirty-two bytes';
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token of HS256 (RFC 7519), made by hand: the verifier must not be checked by the library that it uses. */
function tokenOf(sub: string, secret = SECRET, exp = Math.floor(Date.now() / 1_000) + 60): string {
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub, sid: `session-${sub}`, exp })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** Sessions that answer on the test's command, so that the test determines the order of answers. */
class WaitingSessions implements Pick<Sessions, 'remembered' | 'mayBe' | 'ask'> {
  private readonly waiting = new Map<string, (caller: Caller | null) => void>();
  remembered(): null {
    return null;
  }
  mayBe(): boolean {
    return true;
  }
  ask(_token: string, { sub }: Claims): Promise<Caller | null> {
    return new Promise((resolve) => this.waiting.set(sub, resolve));
  }
  answer(sub: string, caller: Caller | null): void {
    this.waiting.get(sub)?.(caller);
  }
  get asked(): readonly string[] {
    return [...this.waiting.keys()];
  }
}
const callerOf = (sub: string): Caller => ({ userId: Number(sub), sessionId: `session-${sub}` }) as Caller;

function verifier(): { sessions: WaitingSessions; strategy: TokenStrategy } {
  const sessions = new WaitingSessions();
  const strategy = new TokenStrategy(
    sessions as unknown as Sessions,
    { jwtSecret: SECRET, jwtSecretsOld: [OLD] } as unknown as Config,
  );
  return { sessions, strategy };
}

/**
 * A token as auth signs it now: the header names the key. `named`: another secret, whose key the header names instead.
 */
function withKey(sub: string, secret: string, named = secret): string {
  const { id } = new TokenKeys({ jwtSecret: named, jwtSecretsOld: [] }).newest;
  const signed = [
    part({ alg: 'HS256', typ: 'JWT', kid: id }),
    part({ sub, sid: `session-${sub}`, exp: Math.floor(Date.now() / 1_000) + 60 }),
  ].join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

describe('the verifier of tokens', () => {
  test.each([
    ['of the present secret, by its key', withKey('1', SECRET)],
    ['of a secret of before, by its key', withKey('1', OLD)],
    ['of a secret of before, from a release that named no key', tokenOf('1', OLD)],
  ])('takes one that is %s [HARD-320]', async (_what, token) => {
    const { sessions, strategy } = verifier();
    const verified = strategy.callerOf(token);
    await Promise.resolve();
    sessions.answer('1', callerOf('1'));
    expect((await verified)?.userId).toBe(1);
  });

  test('returns each of many concurrent tokens its own caller, in any order of answers [EDGE-035]', async () => {
    const { sessions, strategy } = verifier();
    const names = ['1', '2', '3', '4', '5'];
    const verified = names.map((sub) => strategy.callerOf(tokenOf(sub)));
    await Promise.resolve();
    expect(sessions.asked).toEqual(names);
    for (const sub of [...names].reverse()) sessions.answer(sub, sub === '3' ? null : callerOf(sub));
    expect((await Promise.all(verified)).map((caller) => caller?.userId)).toEqual([1, 2, undefined, 4, 5]);
  });

  test.each([
    ['of another secret', tokenOf('1', 'another secret of thirty-two bytes!!')],
    ['of a secret that is no longer listed', withKey('1', 'a secret of before that is listed no more')],
    ['of a key that another secret has', withKey('1', 'another secret of thirty-two bytes!!', SECRET)],
    ['too old', tokenOf('1', SECRET, 1)],
    ['no token', 'nothing of the kind'],
  ])('asks for no session of one that is %s [EDGE-035]', async (_what, token) => {
    const { sessions, strategy } = verifier();
    expect(await strategy.callerOf(token)).toBeNull();
    expect(sessions.asked).toEqual([]);
  });
});
