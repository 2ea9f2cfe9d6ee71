import { expect, test } from '@jest/globals';
import { makeServiceKey, publicKeyOf, ServiceKeys } from '../security/service-keys.js';
import { CONTEXT_HEADER, InternalCalls, type SignedCall } from './internal.js';
import type { CallContext } from './context.js';
import { bodyHash } from './internal.js';
import { ReplayWindow } from './replay-window.js';

const NAMES = ['gateway', 'auth', 'wallet-ledger', 'market-data'] as const;
const privateKeys = Object.fromEntries(NAMES.map((name) => [name, makeServiceKey()]));
const publicKeys = Object.fromEntries(Object.entries(privateKeys).map(([name, key]) => [name, publicKeyOf(key)]));
const of = (name: string, key = privateKeys[name] ?? ''): InternalCalls =>
  new InternalCalls(() => new ServiceKeys(name, key, publicKeys));
const CALL = { method: 'POST', url: '/internal/ask/auth.fund?a=1', body: '{"question":{"n":1}}' };
const AT = 1_000_000;
const context = { requestId: 'r', caller: { userId: 7 } } as unknown as CallContext;

function headerOf(from: InternalCalls, to: string, call = CALL, given: CallContext | null = null): string {
  return from.sign(to, call, AT, given)[CONTEXT_HEADER] as string;
}
const verified = (by: string, header: unknown, call = CALL, now = AT + 500): SignedCall | null =>
  of(by).verify(header, call, now);

test('a request between services names its sender, for one address, body and time [EDGE-012][HARD-209]', () => {
  const fresh = (): string => headerOf(of('gateway'), 'auth');
  expect(verified('auth', fresh())).toEqual({ from: 'gateway', body: bodyHash(CALL.body), context: null });
  for (const bad of [
    verified('auth', fresh(), CALL, AT + 31_000),
    verified('auth', fresh(), CALL, AT - 31_000),
    verified('auth', fresh(), { ...CALL, method: 'GET' }),
    verified('auth', fresh(), { ...CALL, url: '/internal/ask/auth.fund?a=2' }),
    verified('auth', fresh(), { ...CALL, url: '/internal/ask/auth.fund' }),
    verified('auth', `x${fresh()}`),
    verified('auth', undefined),
    verified('auth', '.'),
    verified('auth', `${Buffer.from('null').toString('base64url')}.x`),
    // Signed for another service: a header captured by one is of no use at another.
    verified('wallet-ledger', fresh()),
  ])
    expect(bad).toBeNull();
});

test('a captured request is not taken a second time [HARD-209]', () => {
  const auth = of('auth');
  const gateway = of('gateway');
  const header = headerOf(gateway, 'auth');
  expect(auth.verify(header, CALL, AT)).not.toBeNull();
  expect(auth.verify(header, CALL, AT + 10)).toBeNull();
  expect(auth.verify(headerOf(gateway, 'auth'), CALL, AT)).not.toBeNull();
});

test('one service cannot sign as another, and only the gateway names the caller [HARD-209]', () => {
  // market-data has its own key and the public keys of all: whatever name it claims, the shared secret is its own.
  const forged = headerOf(of('market-data'), 'auth');
  const [claims = '', signature = ''] = forged.split('.');
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object;
  const renamed = Buffer.from(JSON.stringify({ ...said, from: 'gateway' })).toString('base64url');
  expect(verified('auth', `${renamed}.${signature}`)).toBeNull();
  expect(() => of('gateway', privateKeys['market-data']).sign('auth', CALL, AT)).toThrow(/does not belong/);
  expect(verified('auth', headerOf(of('gateway'), 'auth', CALL, context))?.context).toEqual(context);
  expect(verified('auth', headerOf(of('market-data'), 'auth', CALL, context))).toBeNull();
  expect(verified('auth', headerOf(of('market-data'), 'auth'))?.from).toBe('market-data');
});

test('numbers are taken once, in any order within the window; silent senders are forgotten [HARD-209]', () => {
  let now = 0;
  const window = new ReplayWindow(1_000, () => now);
  expect([5, 3, 5, 3, 4, 6, 6].map((number) => window.take('a', number))).toEqual([
    true,
    true,
    false,
    false,
    true,
    true,
    false,
  ]);
  expect(window.take('a', 100_000)).toBe(true);
  expect(window.take('a', 100_000 - 16_384)).toBe(false);
  expect([100_000 - 16_383, 100_000 - 16_383, 99_999].map((number) => window.take('a', number))).toEqual([
    true,
    false,
    true,
  ]);
  for (let sender = 0; sender < 999; sender += 1) expect(window.take(`s${sender}`, 1)).toBe(true);
  expect(window.take('one too many', 1)).toBe(false);
  now = 2_000;
  expect(window.take('one too many', 1)).toBe(true);
});
