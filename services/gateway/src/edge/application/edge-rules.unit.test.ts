import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { outVerdict } from '@bourse/contract';
import { Counters, InProcessMarks } from '@bourse/messaging';
import { Config, loadConfig, Refused, type Caller, type CallPolicy, type FieldRecord } from '@bourse/platform';
import { Commands } from './commands.js';
import { gateRefusal } from '../../sign-in/application/gates.js';
import { Rates, type RateStatus } from './rates.js';
import { tokenOf } from '../../sign-in/application/sessions.js';

const SECRETS = Object.fromEntries(
  [
    'JWT_SECRET',
    'INTERNAL_SECRET',
    'PASSWORD_PEPPER',
    'ANSWER_SECRET',
    'WALLET_MIDDLEWARE_SECRET',
    'WALLET_KEY_SECRET',
    'TICK_KEY_SECRET',
  ].map((name) => [name, randomBytes(32).toString('base64url')]),
);
const config = (more: Record<string, string> = {}): Config =>
  loadConfig({ ...SECRETS, PRICE_FEED: 'live:binance', ...more });
const caller: Caller = {
  userId: 1,
  sessionId: 's',
  kind: 'user',
  lang: 'en',
  reviewStatus: 2,
  hasFundPassword: true,
  fundMustReset: false,
  hasPayment: true,
  frozen: 'none',
  isSeller: false,
  isAcceptor: false,
  region: '',
  accountNumber: '',
  roles: [],
  permissions: [],
};
const call = (more: Partial<CallPolicy> = {}): CallPolicy => ({
  method: 'POST',
  path: '/api/coin/trade',
  auth: 'user',
  ...more,
});
const open = { open: true, needsFund: true, needsIdentity: true };

describe('gates', () => {
  test('each is named in the order of the contract, the first that bars answers [EDGE-005]', () => {
    const nothing: Caller = { ...caller, frozen: 'all', hasFundPassword: false, reviewStatus: 0, hasPayment: false };
    const steps: [Partial<Caller>, string][] = [
      [{}, 'auth.frozen'],
      [{ frozen: 'none' }, 'noopen'],
      [{}, 'fund.notSet'],
      [{ hasFundPassword: true, fundMustReset: true }, 'fund.mustReset'],
      [{ fundMustReset: false }, 'kyc.required'],
      [{ reviewStatus: 2 }, 'pay.missing'],
    ];
    let now = nothing;
    steps.forEach(([change, key], at) => {
      now = { ...now, ...change };
      expect(gateRefusal(now, call({ gates: ['c2c'], needsOpen: true }), { ...open, open: at >= 2 }, 'no')?.key).toBe(
        key,
      );
    });
    expect(gateRefusal({ ...now, hasPayment: true }, call({ gates: ['c2c'] }), open, 'no')).toBeNull();
  });

  test('a setting that is off demands nothing; the demands of a call itself remain [SETTING-021]', () => {
    const fresh: Caller = { ...caller, hasFundPassword: false, reviewStatus: 0 };
    const trade = call({ gates: ['trade'] });
    expect(gateRefusal(fresh, trade, { ...open, needsFund: false }, 'no')?.key).toBe('kyc.required');
    expect(gateRefusal({ ...fresh, hasFundPassword: true }, trade, { ...open, needsIdentity: false }, 'no')).toBeNull();
    expect(gateRefusal(fresh, trade, { ...open, needsFund: false, needsIdentity: false }, 'no')).toBeNull();
    expect(
      gateRefusal(fresh, call({ gates: ['trade'], needsFund: true }), { ...open, needsFund: false }, 'no')?.key,
    ).toBe('fund.notSet');
  });

  test('acceptor calls answer 555, a fund password needs no identity, no gate needs nothing [EDGE-005]', () => {
    expect(gateRefusal({ ...caller, hasPayment: false }, call({ gates: ['acc'] }), open, 'no')).toEqual({
      key: 'pay.missing',
      type: '555',
    });
    expect(gateRefusal({ ...caller, reviewStatus: 0 }, call({ needsFund: true }), open, 'no')).toBeNull();
    expect(gateRefusal({ ...caller, hasFundPassword: false }, call({ needsFund: true }), open, 'no')?.key).toBe(
      'fund.notSet',
    );
    expect(
      gateRefusal(
        { ...caller, hasFundPassword: false, reviewStatus: 0, hasPayment: false, frozen: 'none' },
        call(),
        open,
        'no',
      ),
    ).toBeNull();
  });

  test('a scope of a freeze closes its calls by the money that they move [HARD-305]', () => {
    const key = (frozen: Caller['frozen'], policy: Partial<CallPolicy>): string | undefined =>
      gateRefusal({ ...caller, frozen }, call(policy), open, outVerdict(call(policy), {}))?.key;
    expect(key('withdraw', { gates: ['trade'] })).toBeUndefined();
    expect(key('trade', { gates: ['trade'] })).toBe('auth.frozen');
    expect(key('c2c', { gates: ['acc'] })).toBe('auth.frozen');
    // The return of a deposit has no gate, but it takes money out.
    for (const policy of [{ gates: ['out'] as const }, { rate: 'withdraw' as const }, { breaker: 'withdraw' as const }])
      expect(key('withdraw', policy)).toBe('auth.frozen');
  });

  test('a frozen person reads and makes calls marked as open; other writes are refused [HARD-305]', () => {
    const frozen = (policy: Partial<CallPolicy>): string | undefined =>
      gateRefusal({ ...caller, frozen: 'all' }, call(policy), open, 'no')?.key;
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      expect(frozen({ method })).toBe('auth.frozen');
      expect(frozen({ method, whileFrozen: true })).toBeUndefined();
    }
    expect(frozen({ method: 'GET' })).toBeUndefined();
    expect(frozen({ method: 'GET', whileFrozen: false })).toBe('auth.frozen');
  });
});

describe('command ids', () => {
  const commands = new Commands(config(), new InProcessMarks());
  const identify = (key: unknown, fields = {}, user = 1, path = '/api/coin/trade'): ReturnType<Commands['identify']> =>
    commands.identify(user, 'POST', path, key, fields);

  test('the same user, call and key give the same id, any other another [EDGE-006]', () => {
    expect(identify('abcdefgh').commandId).toBe(identify('abcdefgh').commandId);
    expect(
      new Set(
        [
          identify('abcdefgh'),
          identify('abcdefgi'),
          identify('abcdefgh', {}, 2),
          identify('abcdefgh', {}, 1, '/api/wallet/change'),
        ].map(({ commandId }) => commandId),
      ).size,
    ).toBe(4);
    expect(identify(undefined).commandId).not.toBe(identify(undefined).commandId);
    expect(identify('abcdefgh').hasKey).toBe(true);
    expect(identify(undefined)).toMatchObject({ hasKey: false, bodyHash: null });
  });

  test('the body hash depends on the values, not on their form or the timestamp [EDGE-006]', () => {
    expect(identify('abcdefgh', { a: '1', b: '2' }).bodyHash).toBe(
      identify('abcdefgh', { b: '2', timestamp: '5', a: '1' }).bodyHash,
    );
    expect(identify('abcdefgh', { a: '1' }).bodyHash).not.toBe(identify('abcdefgh', { a: '2' }).bodyHash);
  });

  test.each(['short', 'a'.repeat(65), 'with space', 'ümläute-', ['abcdefgh', 'abcdefgh']])(
    '%j is no key [EDGE-006]',
    (key) => {
      expect(() => identify(key)).toThrow(Refused);
    },
  );

  test('an id is recognised by its owner only [EDGE-006]', () => {
    const { commandId } = identify('abcdefgh');
    expect([commands.belongs(1, commandId), commands.belongs(2, commandId), commands.belongs(1, 'x')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('a call under way is not let in again until it ends [EDGE-007]', async () => {
    const { commandId } = identify('in-flight-1');
    const leave = commands.enter(commandId);
    expect(() => commands.enter(commandId)).toThrow(
      expect.objectContaining({ key: 'common.repeated' }) as unknown as Error,
    );
    leave();
    commands.enter(commandId)();
    expect([await commands.recent([commandId]), await commands.recent(['other'])]).toEqual([commandId, null]);
  });
});

describe('rates', () => {
  class Counted extends Counters {
    readonly counts = new Map<string, number>();
    hit(key: string, _windowMs: number, times = 1): Promise<{ count: number; resetsInMs: number }> {
      const count = (this.counts.get(key) ?? 0) + times;
      this.counts.set(key, count);
      return Promise.resolve({ count, resetsInMs: 1_500 });
    }
  }
  const keyOf = async (work: Promise<void>): Promise<unknown> =>
    work.then(
      () => 'admitted',
      (error: unknown) => error,
    );

  test('the call after the last one is refused with the seconds to wait [EDGE-004]', async () => {
    const rates = new Rates(new Counted(), config());
    for (let at = 0; at < 20; at += 1) await rates.address('1.2.3.4', call({ auth: 'public' }), {});
    expect(await keyOf(rates.address('1.2.3.4', call({ auth: 'public' }), {}))).toMatchObject({
      key: 'common.tooMany',
      params: { seconds: 2 },
    });
    expect(await keyOf(rates.address('1.2.3.4', call({ auth: 'public', path: '/api/other' }), {}))).toBe('admitted');
    expect(await keyOf(rates.address('1.2.3.5', call({ auth: 'public' }), {}))).toBe('admitted');
  });

  test('sign-in is counted per account too, and RATE_SCALE multiplies [EDGE-004]', async () => {
    const attempt = (rates: Rates, ip: string, account = 'A@b.cc'): Promise<unknown> =>
      keyOf(
        rates.address(ip, call({ auth: 'public', rate: 'signIn', account: 'user_string' }), { user_string: account }),
      );
    const strict = new Rates(new Counted(), config());
    for (let at = 0; at < 5; at += 1)
      expect(await attempt(strict, '1.1.1.1', at % 2 ? 'A@b.cc' : 'a@B.cc')).toBe('admitted');
    expect(await attempt(strict, '1.1.1.1')).toMatchObject({ key: 'common.tooMany' });
    expect(await attempt(strict, '1.1.1.1', 'other@b.cc')).toBe('admitted');
    expect(await attempt(strict, '1.1.1.2')).toBe('admitted'); // the owner, from elsewhere
    for (let at = 0; at < 13; at += 1) expect(await attempt(strict, '1.1.1.1', `p${at}@b.cc`)).toBe('admitted');
    expect(await attempt(strict, '1.1.1.1', 'last@b.cc')).toMatchObject({ key: 'common.tooMany' });
    const scaled = new Rates(new Counted(), config({ RATE_SCALE: '10' }));
    for (let at = 0; at < 50; at += 1) expect(await attempt(scaled, '1.1.1.1')).toBe('admitted');
  });

  const signIn = call({ auth: 'public', rate: 'signIn', account: 'user_string' });

  test('refused sign-ins with long names leave a bounded number of short keys behind [HARD-204]', async () => {
    const counted = new Counted();
    const rates = new Rates(counted, config());
    const answers: unknown[] = [];
    for (let at = 0; at < 80; at += 1)
      answers.push(await keyOf(rates.address('1.1.1.1', signIn, { user_string: `${at}-`.repeat(32_000) })));
    expect(answers.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'admitted'));
    expect(answers.slice(20)).toEqual(
      Array.from({ length: 60 }, () => expect.objectContaining({ key: 'common.tooMany' })),
    );
    expect(counted.counts.size).toBe(2 + 20);
    for (const key of counted.counts.keys()) expect(key.length).toBeLessThan(120);
  });

  test('the field that signs in is counted, a decoy beside it is not [HARD-302]', async () => {
    const rates = new Rates(new Counted(), config());
    const attempt = (policy: CallPolicy, fields: Record<string, string>): Promise<unknown> =>
      keyOf(rates.address('1.1.1.1', policy, fields));
    for (const [path, account] of [
      ['/api/user/forget', 'account'],
      ['/api/admin/login', 'username'],
    ] as const) {
      const policy = call({ auth: 'public', rate: 'signIn', path, account });
      for (let at = 0; at < 5; at += 1)
        expect(await attempt(policy, { user_string: `decoy${at}`, [account]: 'victim' })).toBe('admitted');
      expect(await attempt(policy, { user_string: 'decoy9', [account]: ' Victim' })).toMatchObject({
        key: 'common.tooMany',
      });
    }
  });

  test('a /64 of IPv6 is one address [HARD-314]', async () => {
    const rates = new Rates(new Counted(), config());
    for (let at = 0; at < 20; at += 1)
      expect(await keyOf(rates.address(`2001:db8::${at.toString(16)}`, signIn, {}))).toBe('admitted');
    expect(await keyOf(rates.address('2001:db8::ffff', signIn, {}))).toMatchObject({ key: 'common.tooMany' });
    expect(await keyOf(rates.address('2001:db8:0:1::1', signIn, {}))).toBe('admitted');
  });

  test('each rate of a call is noted with its remaining allowance, the narrowest last [EDGE-041]', async () => {
    const rates = new Rates(new Counted(), config({ RATE_SCALE: '2' }));
    const noted: RateStatus[] = [];
    const note = (status: RateStatus): void => void noted.push(status);
    const order = call({ auth: 'user', rate: 'order' });
    await rates.address('1.2.3.4', order, {}, note);
    await rates.user(7, order, {}, note);
    expect(noted).toEqual([
      { name: 'address', limit: 200, remaining: 199, resetSeconds: 2 },
      { name: 'order', limit: 80, remaining: 79, resetSeconds: 2 },
    ]);
  });

  test('beyond a rate nothing is left; of two windows the one with less left is noted [EDGE-041]', async () => {
    class Slow extends Counted {
      override async hit(key: string, windowMs: number, times = 1): Promise<{ count: number; resetsInMs: number }> {
        const { count } = await super.hit(key, windowMs, times);
        // The short window begins again with every call, the long one does not.
        return key.endsWith(':long') ? { count, resetsInMs: 9_000 } : { count: 1, resetsInMs: 1_000 };
      }
    }
    const rates = new Rates(new Slow(), config());
    const noted: RateStatus[] = [];
    const send = (): Promise<unknown> =>
      keyOf(rates.user(7, call({ auth: 'user', rate: 'order' }), {}, (status) => void noted.push(status)));
    for (let at = 0; at < 220; at += 1) expect(await send()).toBe('admitted');
    expect(noted[0]).toEqual({ name: 'order', limit: 40, remaining: 39, resetSeconds: 1 });
    expect(noted.at(-1)).toEqual({ name: 'order', limit: 220, remaining: 0, resetSeconds: 9 });
    expect(await send()).toMatchObject({ key: 'common.tooMany', params: { seconds: 9 } });
    expect(noted.at(-1)).toEqual({ name: 'order', limit: 220, remaining: 0, resetSeconds: 9 });
  });

  test('a process that counts alone allows half [EDGE-004]', async () => {
    class Alone extends Counted {
      override async hit(key: string): Promise<{ count: number; resetsInMs: number; alone: boolean }> {
        return { ...(await super.hit(key, 0)), alone: true };
      }
    }
    const rates = new Rates(new Alone(), config());
    for (let at = 0; at < 10; at += 1) expect(await keyOf(rates.address('1.1.1.1', signIn, {}))).toBe('admitted');
    expect(await keyOf(rates.address('1.1.1.1', signIn, {}))).toMatchObject({ key: 'common.tooMany' });
  });

  test('orders may burst to 40 [EDGE-004]', async () => {
    const rates = new Rates(new Counted(), config());
    for (let at = 0; at < 40; at += 1) await rates.user(1, call({ rate: 'order' }), {});
    expect(await keyOf(rates.user(1, call({ rate: 'order' }), {}))).toMatchObject({ key: 'common.tooMany' });
    expect(await keyOf(rates.user(2, call({ rate: 'order' }), {}))).toBe('admitted');
  });

  test('items of one call count one by one, cancels as cancels [EDGE-063]', async () => {
    const rates = new Rates(new Counted(), config());
    const batch = (...ops: string[]): Promise<unknown> =>
      keyOf(
        rates.user(1, call({ rate: 'order', items: 'orders' }), { items: JSON.stringify(ops.map((op) => ({ op }))) }),
      );
    const twenty = (op: string): string[] => Array.from({ length: 20 }, () => op);
    expect(await batch(...twenty('place'))).toBe('admitted');
    expect(await batch(...twenty('amend'))).toBe('admitted');
    expect(await batch(...twenty('cancel'))).toBe('admitted');
    expect(await batch('place')).toMatchObject({ key: 'common.tooMany' });
    const ids = { ids: JSON.stringify(twenty('1')) };
    expect(await keyOf(rates.user(1, call({ rate: 'cancel', items: 'names' }), ids))).toBe('admitted');
    expect(await keyOf(rates.user(1, call({ rate: 'cancel', items: 'names' }), ids))).toMatchObject({
      key: 'common.tooMany',
    });
    // A form separates names by commas.
    const cancelOf = (userId: number, fields: FieldRecord): Promise<unknown> =>
      keyOf(rates.user(userId, call({ rate: 'cancel', items: 'names' }), fields));
    expect(await cancelOf(4, { ids: twenty('1').join() })).toBe('admitted');
    expect(await cancelOf(4, { client_order_ids: twenty('a').join() })).toBe('admitted');
    expect(await cancelOf(4, { ids: '1' })).toMatchObject({ key: 'common.tooMany' });
    // An unreadable list counts as one call.
    for (let at = 0; at < 40; at += 1)
      expect(await keyOf(rates.user(3, call({ rate: 'order', items: 'orders' }), { items: 'x' }))).toBe('admitted');
    expect(await keyOf(rates.user(3, call({ rate: 'order', items: 'orders' }), {}))).toMatchObject({
      key: 'common.tooMany',
    });
  });
});

test('a token is read raw or after Bearer [EDGE-009]', () => {
  expect(
    ['x.y.z', 'Bearer x.y.z', 'bearer  x.y.z', '', 'Bearer '].map((authorization) => tokenOf({ authorization })),
  ).toEqual(['x.y.z', 'x.y.z', 'x.y.z', null, null]);
  expect(tokenOf({})).toBeNull();
});
