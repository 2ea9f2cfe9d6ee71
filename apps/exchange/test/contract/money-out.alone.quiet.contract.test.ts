import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import { call, get, keyOf, post, type Fields } from './client.js';
import { advance } from './dev-clock.js';
import { appealOf, confirm, dealOf, decide, offShelf, pay, sellAd, taken, USDT } from './deal-room.js';
import { codeFor, createAcceptor, createMerchants, done, FUND, operator, upload, type Person } from './people.js';

// Moves the clock and stops products, so no other test may deal meanwhile.
jest.setTimeout(testTimeoutMs(120_000));

const TRC20 = 4;
const TRON_ADDRESS = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7';
const HOURS_25 = 25 * 3_600;

/** A money call in the interface document. */
interface MoneyCall {
  readonly method: string;
  readonly path: string;
  readonly another_person: string;
  readonly freezes: readonly string[];
  readonly breakers: readonly string[];
  readonly halted_only: boolean;
  readonly audit_alarm: boolean;
}
let calls: readonly MoneyCall[] = [];
let [victim, accomplice] = [
  { token: '', id: 0 },
  { token: '', id: 0 },
] as unknown as [Person, Person];
let acceptor: Awaited<ReturnType<typeof createAcceptor>>;
beforeAll(async () => {
  const document = JSON.parse((await get('/api/openapi.json')).text) as {
    paths: Record<string, Record<string, { 'x-call'?: { closed_by?: Omit<MoneyCall, 'method' | 'path'> } }>>;
  };
  calls = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { 'x-call': declared }]) =>
        declared?.closed_by ? [{ method: method.toUpperCase(), path, ...declared.closed_by }] : [],
      ),
    )
    .sort((one, other) => (`${one.path} ${one.method}` < `${other.path} ${other.method}` ? -1 : 1));
  [[victim, accomplice], acceptor] = await Promise.all([
    createMerchants(2, { legal: { [USDT]: '2000' }, change: { [USDT]: '2000' } }),
    createAcceptor({ posted: '1000', cash: '1000', own: '500' }),
  ]);
});
afterAll(async () => {
  expect(await findFailingChecks()).toEqual([]);
});

const takerSure = (token: string, id: string) =>
  post('/api/c2c/legal_deal_user_sure', { id, password: FUND }, { token });
const freeze = async (user_id: number, scope: string): Promise<unknown> => {
  const token = await operator('support1');
  return done(post('/api/admin/users/freeze', { user_id, scope, reason: 'a contract test' }, { token }));
};
/** Nothing is reopened while an auditor could not ask a service, which a busy machine has for a moment. */
async function breaker(scope: string, mode: string): Promise<void> {
  const token = await operator('operator');
  const set = () => post('/api/admin/breaker', { scope, mode, reason: 'a contract test' }, { token });
  await done(eventuallySatisfied(set, ({ body: { key } }) => key !== 'admin.stillWrong'));
}
const acceptorDeal = async (type: 'buy' | 'sell', token: string) =>
  post(
    '/api/acceptor/deal',
    {
      ...{ mobile: '13800000000', deal_account: 'x-1', money: '20', way: 'bank', type, password: FUND },
      acceptor_id: acceptor.acceptorId,
    },
    { token },
  );

/** Deals in which the victim gives coins: each is paid, and waits for the victim's confirmation. */
interface Deals {
  readonly sold: string;
  readonly taken: string;
}
/** Of a new taking of the victim's sell ad, and of the victim's taking of a buy ad. */
async function dealsOf(sell: number, buy: number | null): Promise<Deals> {
  const sold = await taken(accomplice.token, sell, '1');
  await done(pay(accomplice.token, sold));
  if (buy === null) return { sold, taken: '' };
  const own = await taken(victim.token, buy, '1');
  await done(pay(accomplice.token, own));
  return { sold, taken: own };
}

/**
 * Checks that a stop refuses, with this key, each call that moves coins of the victim to another person, and no other
 * call. `stop` puts the stop in force, `lift` ends it.
 */
async function closesMoneyOut(key: string, stop: () => Promise<unknown>, lift: () => Promise<unknown>): Promise<void> {
  const sell = await sellAd(victim.token);
  const [buy, theirs] = [
    await sellAd(accomplice.token, { type: 'buy' }),
    await sellAd(accomplice.token, { total_number: '50' }),
  ];
  const older = await dealsOf(sell, buy);
  await stop();
  let younger: Deals;
  try {
    const { token } = victim;
    const out = { address: TRON_ADDRESS, number: '20', currency: USDT, type: TRC20, pay_password: FUND };
    expect(await keyOf(post('/api/wallet/out', out, { token }))).toBe(key);
    await expect(sellAd(token)).rejects.toThrow(key);
    expect(await keyOf(post('/api/c2c/do_legal_deal', { id: buy, number: '1', password: FUND }, { token }))).toBe(key);
    expect(await keyOf(acceptorDeal('sell', token))).toBe(key);
    // Earlier agreements, incoming coins and transfers between own accounts stay possible.
    await done(confirm(token, older.sold));
    await done(takerSure(token, older.taken));
    younger = await dealsOf(sell, null);
    expect(await keyOf(confirm(token, younger.sold))).toBe(key);
    await offShelf(token, await sellAd(token, { type: 'buy', total_number: '20' }));
    const bought = await taken(token, theirs, '1');
    await done(post('/api/c2c/user_legal_pay_cancel', { id: bought, password: FUND }, { token }));
    await done(
      post(
        '/api/wallet/change',
        { currency_id: USDT, from_field: 'change', to_field: 'legal', number: '1' },
        { token },
      ),
    );
    await lift();
    // After a day of silence an appeal has opened by itself.
    if ((await keyOf(confirm(token, younger.sold))) === 'c2c.appealOpen')
      await done(appealOf(token, younger.sold).then(({ id }) => decide(id, 'buyer')));
    await offShelf(token, await sellAd(token, { total_number: '30' }));
  } finally {
    await lift();
  }
  expect(await dealOf(accomplice.token, younger.sold)).toMatchObject({ is_sure: 1 });
  await offShelf(victim.token, sell);
  for (const id of [buy, theirs]) await offShelf(accomplice.token, id);
}

describe('money out', () => {
  test('a block closes calls that give coins to others, and older deals continue [HARD-411]', async () => {
    await closesMoneyOut(
      'wallet.blocked',
      async () => {
        const { account: user_string } = victim;
        await done(post('/api/sms_mail', { user_string, scene: 'forget' }));
        const code = await codeFor(user_string, 'forget');
        const [account, password] = [user_string, 'Anchor-1357'];
        await done(post('/api/user/forget', { account, code, password, repassword: password }));
        const { message } = await done(post('/api/user/login', { user_string, password }));
        victim = { ...victim, token: message };
      },
      () => advance(HOURS_25),
    );
  });

  test('a freeze of withdrawals closes the same [HARD-412]', async () => {
    await closesMoneyOut(
      'auth.frozen',
      () => freeze(victim.id, 'withdraw'),
      () => freeze(victim.id, 'none'),
    );
  });

  test('the breaker of withdrawals closes the same for everybody, with 503 [HARD-412]', async () => {
    await closesMoneyOut(
      'market.paused',
      () => breaker('withdraw', 'halted'),
      async () => {
        await breaker('withdraw', 'cancel_only');
        await breaker('withdraw', 'normal');
      },
    );
  });

  test('a frozen acceptor confirms a deposit that is older, and no younger one [HARD-411]', async () => {
    const own = (id: string) => post('/api/acceptor/confirm', { id, password: FUND }, { token: acceptor.token });
    const opened = async (): Promise<string> => (await done(acceptorDeal('buy', accomplice.token))).id;
    const older = await opened();
    await freeze(acceptor.id, 'withdraw');
    try {
      const younger = await opened();
      expect(await keyOf(own(younger))).toBe('auth.frozen');
      await done(own(older));
      await freeze(acceptor.id, 'none');
      await done(own(younger));
    } finally {
      await freeze(acceptor.id, 'none');
    }
  });

  test('a frozen person confirms a withdrawal by an acceptor that is older [HARD-411]', async () => {
    const { token } = victim;
    const deal = (await done(acceptorDeal('sell', token))).id;
    const proof_pic = await upload(acceptor.token, 'proof');
    await done(post('/api/acceptor/transferred', { id: deal, proof_pic, password: FUND }, { token: acceptor.token }));
    await freeze(victim.id, 'withdraw');
    try {
      await done(post('/api/acceptor/user_confirm', { id: deal }, { token }));
    } finally {
      await freeze(victim.id, 'none');
    }
  });
});

/** Fields by which a call moves value to another person, where a field decides. */
const fieldsOf = ({ another_person: rule }: MoneyCall): Fields => {
  const [name, value] = rule.split('=');
  return value === undefined ? {} : { [name!]: value };
};
const moves = ({ another_person: rule }: MoneyCall): boolean => rule === 'always' || rule.includes('=');
const send = (one: MoneyCall, token: string) => call(one.method, one.path, fieldsOf(one), { token });

describe('every money call', () => {
  test('that can move coins to another person is one that the tests above know [HARD-410]', () => {
    expect(calls.filter(({ another_person: rule }) => rule !== 'never').map(({ path }) => path)).toEqual([
      '/api/acceptor/confirm',
      '/api/acceptor/deal',
      '/api/acceptor/user_confirm',
      '/api/c2c/do_legal_deal',
      '/api/c2c/legal_deal_sure',
      '/api/c2c/legal_deal_user_sure',
      '/api/c2c_send',
      '/api/legal/do_deal',
      '/api/legal/send',
      '/api/wallet/deposit_return',
      '/api/wallet/out',
    ]);
  });

  test('is in the table of docs/security.md with its blocks, freezes and breakers [HARD-413]', () => {
    const words: Record<string, string> = { always: 'always', never: 'never', object: 'by the ad or deal' };
    const row = (one: MoneyCall): string => {
      const rule = words[one.another_person] ?? one.another_person.replace('=', ' = ');
      const isOut = one.another_person !== 'never';
      const freezes = [...one.freezes, ...(isOut && !one.freezes.includes('withdraw') ? ['withdraw*'] : [])];
      const breakers = one.breakers.map((name) => (one.halted_only ? `${name} (halted)` : name));
      if (isOut && !one.breakers.includes('withdraw')) breakers.push('withdraw*');
      const cells = [
        `\`${one.method} ${one.path}\``,
        rule,
        isOut ? 'closes' : 'open',
        freezes.join(', ') || 'none',
        breakers.join(', ') || 'none',
        one.audit_alarm ? 'waits' : 'continues',
      ];
      return `| ${cells.join(' | ')} |`;
    };
    const text = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');
    const table = text.split(/<!-- \/?money calls -->/)[1] ?? '';
    expect(table.split('\n').filter((line) => line.startsWith('| `'))).toEqual(calls.map(row));
  });

  test.each(['all', 'trade', 'c2c', 'withdraw'])(
    'is closed by a freeze with scope %s where its table says so [HARD-412]',
    async (scope) => {
      await freeze(victim.id, scope);
      try {
        for (const one of calls) {
          const isClosed = one.freezes.includes(scope) || (scope === 'withdraw' && moves(one));
          const key = await keyOf(send(one, victim.token));
          expect([one.path, key === 'auth.frozen']).toEqual([one.path, isClosed]);
        }
      } finally {
        await freeze(victim.id, 'none');
      }
    },
  );

  test('is closed by the breaker `all` where it names one, a cancel only while it is halted [HARD-413]', async () => {
    const closed = async (isClosed: (one: MoneyCall) => boolean): Promise<void> => {
      for (const one of calls) {
        const { status, body } = await send(one, victim.token);
        const isPaused = status === 503 && body.key === 'market.paused';
        expect([one.path, isPaused]).toEqual([one.path, isClosed(one)]);
      }
    };
    await breaker('all', 'halted');
    try {
      await closed((one) => one.breakers.length > 0 || moves(one));
      await breaker('all', 'cancel_only');
      await closed((one) => (one.breakers.length > 0 && !one.halted_only) || moves(one));
    } finally {
      await breaker('all', 'cancel_only');
      await breaker('all', 'normal');
      await eventuallySatisfied(
        () => get('/api/status'),
        ({ body }) => Object.values(body.message.modes).every((mode) => mode === 'normal'),
      );
    }
  });
});
