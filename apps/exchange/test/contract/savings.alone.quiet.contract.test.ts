import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import { setting } from './deal-room.js';
import { balanceOf, get, post, type Fields } from './client.js';
import { inboxOf } from './inbox.js';
import {
  createCertified,
  createTrader,
  createTraders,
  done,
  FUND,
  createNewcomer,
  operator,
  saveRow,
  type Person,
} from './people.js';
import { readClock } from './dev-clock.js';

// Moves the business clock by weeks: it runs alone.
jest.setTimeout(testTimeoutMs(75_000));

const [BTC, USDT] = [1, 3];
const [WEEK, MONTH] = [1, 3];
const DAY_MS = 86_400_000;

type Order = RowOf<'GET /api/currency/deposit/lhDepositOrderList'>;
interface Line {
  readonly value: string;
  readonly info: string;
}

let token: string;
let userId: number;
let poor: Person;
beforeAll(async () => {
  const [rich, other] = await Promise.all([
    createTrader({ change: { [BTC]: '1', [USDT]: '10000' } }),
    createCertified(),
  ]);
  ({ token, id: userId } = rich);
  poor = other;
});

const at = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`);
const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
/** Until all that was due at `time` has run in every process. */
const clockTo = async (time: number): Promise<void> => {
  await post('/dev/clock', { set: String(time) });
  await eventuallySatisfied(readClock, (reached) => reached >= time, 15_000);
};
const keyed = (who: string, key: string) => ({ token: who, headers: { 'idempotency-key': key } });
const subscribe = (fields: Fields, who = token, key: string = randomUUID()) =>
  post(
    '/api/currency/lhDeposit',
    { config_id: MONTH, currency_id: USDT, amount: '1000', password: FUND, ...fields },
    keyed(who, key),
  );
const subscribed = async (fields: Fields = {}, who = token): Promise<Order> =>
  (await done(subscribe(fields, who))).order;
const cancel = (id: string, fields: Fields = {}, who = token) =>
  post('/api/currency/deposit/cancel', { id, password: FUND, ...fields }, keyed(who, randomUUID()));
const orders = async (fields: Fields = {}, who = token) =>
  (await done(get('/api/currency/deposit/lhDepositOrderList', fields, { token: who }))).message;
const orderOf = async (id: string): Promise<Order> =>
  (await orders({ limit: 100 })).data.find((order) => order.id === id)!;
const ended = (id: string): Promise<Order> =>
  eventuallySatisfied(
    () => orderOf(id),
    ({ status }) => status !== 1,
    15_000,
  );
const change = async (currency = USDT, who = token): Promise<string> =>
  String((await balanceOf(who, currency))['change_balance']);
const units = (text: string): bigint => BigInt(text.replace('.', ''));
const heldHere = async (id: string): Promise<unknown[]> =>
  (await done(get('/api/wallet/holds', {}, { token }))).message.filter(({ cause_id }) => cause_id === id);

describe('the offers', () => {
  test('guests see coins and terms, and nothing of their own [SAVE-010]', async () => {
    const { message } = await done(get('/api/currency/lhDepositLists'));
    expect(message).toEqual({
      currency: [
        { id: BTC, name: 'BTC', balance: '0.00000000', min_day_rate: '0.013333', max_rate: '1.2' },
        { id: USDT, name: 'USDT', balance: '0.00000000', min_day_rate: '0.013333', max_rate: '1.2' },
      ],
    });
    const own = await done(get('/api/currency/lhDepositLists', {}, { token }));
    const usdt = own.message.currency.find(({ id }) => id === USDT);
    expect(usdt?.balance).toBe(await change());
    expect((await done(get('/api/currency/deposit/config', { currency_id: USDT }))).message).toEqual(
      [
        [7, '0.4'],
        [15, '0.5'],
        [30, '0.7'],
        [60, '0.9'],
        [90, '1.2'],
      ].map(([day, interest_rate], index) => ({
        id: index + 1,
        currency_id: USDT,
        day,
        interest_rate,
        save_min: '100.00000000',
        cancel_rate: '0',
      })),
    );
    expect((await done(get('/api/currency/deposit/config', { currency_id: 4 }))).message).toEqual([]);
    expect((await get('/api/currency/deposit/config')).body).toMatchObject({ field: 'currency_id' });
  });
});

describe('refusals', () => {
  test.each<[string, Fields, string, object]>([
    ['no amount', { amount: undefined, password: undefined }, 'save.amountRequired', { field: 'amount' }],
    ['an amount of nothing', { amount: '0', password: 'wrong1' }, 'save.amountRequired', { field: 'amount' }],
    ['a sign', { amount: '-5' }, 'common.fieldInvalid', { field: 'amount' }],
    ['no password', { password: undefined, config_id: 99 }, 'fund.required', { type: '996', field: 'password' }],
    ['no term', { config_id: undefined }, 'save.config', { field: 'config_id' }],
    ['an unknown term', { config_id: 99, amount: '1' }, 'save.config', { field: 'config_id' }],
    ['a term of another coin', { currency_id: BTC, amount: '1' }, 'save.config', { field: 'currency_id' }],
    ['too little', { amount: '99.99999999' }, 'save.min', { params: { min: '100' }, field: 'amount' }],
    ['more than one has', { amount: '100' }, 'balance.insufficient', {}],
  ])('%s [SAVE-011]', async (_, fields, key, more) => {
    expect((await subscribe(fields, poor.token)).body).toMatchObject({ type: 'error', key, ...more });
    expect((await orders({}, poor.token)).total).toBe(0);
  });

  test('a wrong password comes before the term, and one that was never set before all fields [SAVE-011]', async () => {
    expect((await subscribe({ password: 'wrong1', config_id: 99 }, poor.token)).body).toMatchObject({
      key: 'fund.wrong',
      field: 'password',
    });
    const person = await createNewcomer();
    expect((await subscribe({ amount: undefined }, person.token)).body).toMatchObject({
      type: 'not',
      key: 'fund.notSet',
    });
    expect((await subscribe({}, '')).body).toMatchObject({ type: '999' });
  });

  test('the house promises no interest that it has not [SAVE-012]', async () => {
    const offer = (interest_rate: string): Promise<unknown> =>
      done(saveRow('catalog/deposit_configs', { id: WEEK, interest_rate }));
    await offer('2.4');
    try {
      const taken: [string, string][] = [];
      const refused: string[] = [];
      // Each term reserves 24,000 of the house's 100,000, which one person may.
      const people = await createTraders(5, { change: { [USDT]: '1000000' } });
      for (const { token: who } of people) {
        const before = await change(USDT, who);
        const { body } = await subscribe({ config_id: WEEK, amount: '1000000' }, who);
        if (body.type === 'ok') taken.push([who, body.order.id]);
        else {
          refused.push(String(body.key));
          expect(await change(USDT, who)).toBe(before);
        }
      }
      expect(refused.length).toBeGreaterThan(0);
      expect(new Set(refused)).toEqual(new Set(['save.houseLimit']));
      for (const [who, id] of taken) await done(cancel(id, {}, who));
    } finally {
      await offer('0.4');
    }
  });

  test('one person reserves a share of the interest, in however many terms; others get theirs [HARD-419]', async () => {
    const offer = (interest_rate: string): Promise<unknown> =>
      done(saveRow('catalog/deposit_configs', { id: WEEK, interest_rate }));
    const [greedy, other] = (await createTraders(2, { change: { [USDT]: '2000000' } })).map(
      ({ token: who }) => who,
    ) as [string, string];
    // A term reserves 7,200 of the house's 100,000: of a quarter three fit.
    const term = { config_id: WEEK, amount: '300000' };
    const running = async (who: string): Promise<readonly Order[]> =>
      (await orders({ status: 1, limit: 100 }, who)).data;
    await offer('2.4');
    try {
      for (let number = 0; number < 3; number += 1) await subscribed(term, greedy);
      for (const { id } of await running(greedy)) {
        expect((await subscribe(term, greedy)).body).toMatchObject({ type: 'error', key: 'save.houseLimit' });
        await done(cancel(id, {}, greedy));
        await subscribed(term, greedy);
      }
      expect(await running(greedy)).toHaveLength(3);
      await subscribed(term, other);
    } finally {
      for (const who of [greedy, other]) for (const { id } of await running(who)) await done(cancel(id, {}, who));
      await offer('0.4');
    }
  });
});

describe('a term', () => {
  test('1,000 USDT for 30 days at 0.7 %: 0.23333333 a day, 1,007.00 at its end [SAVE-013, SAVE-019]', async () => {
    const before = units(await change());
    const inbox = await inboxOf(token);
    const key = randomUUID();
    const { body } = await subscribe({}, token, key);
    const order = body.order;
    expect(body).toMatchObject({ type: 'ok', key: 'save.subscribed', command_id: expect.any(String) });
    const startAt = (Math.floor(at(order.created_at) / DAY_MS) + 1) * DAY_MS;
    expect(order).toEqual({
      id: expect.stringMatching(/^[1-9]\d*$/),
      currency_id: USDT,
      currency_name: 'USDT',
      amount: '1000.00000000',
      day: 30,
      total_rate: '0.7',
      profit: '7.00000000',
      accrued: '0.00000000',
      cancel_rate: '0',
      created_at: expect.any(String),
      start_at: timeText(startAt),
      end_at: timeText(startAt + 30 * DAY_MS),
      status: 1,
    });
    expect((await subscribe({}, token, key)).body).toMatchObject({ type: 'ok', order: { id: order.id } });
    expect((await subscribe({ amount: '1001' }, token, key)).body.key).toBe('common.keyReused');
    expect(units(await change())).toBe(before - units('1000.00000000'));
    expect(await heldHere(order.id)).toEqual([expect.objectContaining({ cause_type: 'savings' })]);

    const seen: string[] = [];
    for (const [day, ms] of [
      [0, -600_000],
      [1, 0],
      [2, -600_000],
      [29, 12_000],
    ] as const) {
      await clockTo(startAt + day * DAY_MS + ms);
      seen.push((await orderOf(order.id)).accrued);
    }
    expect(seen).toEqual(['0.00000000', '0.23333333', '0.23333333', '6.76666666']);
    await clockTo(at(order.end_at));
    expect(await ended(order.id)).toMatchObject({ status: 2, accrued: '7.00000000' });
    await eventuallySatisfied(change, (balance) => units(balance) === before + units('7.00000000'));
    expect(await heldHere(order.id)).toEqual([]);
    expect((await cancel(order.id)).body).toMatchObject({ type: 'error', key: 'save.state' });
    await inbox.receives('Savings matured · 1000 USDT and 7 USDT interest are back in your account.');

    const log = async (type: number): Promise<Line[]> =>
      (await done(post('/api/wallet/legal_log', { type, currency: USDT }, { token }))).message.list;
    expect((await log(2)).slice(0, 3).map(({ value, info }) => [value, info])).toEqual([
      ['7.00000000', 'Term of savings paid out'],
      ['1000.00000000', 'Term of savings paid out'],
      ['-1000.00000000', 'Amount put aside for a term'],
    ]);
    // The balance of the savings account is always held.
    expect((await log(6)).slice(0, 2).map(({ value, info }) => [value, info])).toEqual([
      ['-1000.00000000', 'Term of savings paid out'],
      ['1000.00000000', 'Amount put aside for a term'],
    ]);
    expect(await findFailingChecks()).toEqual([]);
  });

  test('a cancel gives the amount back less the fee that was agreed, and no interest [SAVE-014]', async () => {
    const before = units(await change());
    const inbox = await inboxOf(token);
    const free = await subscribed();
    const back = await setting('deposit_cancel', '0.3');
    try {
      const { message } = await done(get('/api/currency/deposit/config', { currency_id: USDT }));
      expect(message[0]?.cancel_rate).toBe('0.3');
      const costly = await subscribed({ amount: '100.00000001' });
      await clockTo((await readClock()) + 3 * DAY_MS);
      expect(await orderOf(free.id)).toMatchObject({ accrued: expect.stringMatching(/^0\.[1-9]/), cancel_rate: '0' });
      expect((await cancel(free.id, { password: undefined })).body).toMatchObject({ type: '996' });
      expect((await cancel(free.id, {}, poor.token)).body.key).toBe('common.notFound');
      expect((await done(cancel(free.id))).order).toMatchObject({ status: 3, accrued: '0.00000000' });
      expect((await done(cancel(costly.id))).order).toMatchObject({ status: 3, cancel_rate: '0.3' });
      // 0.3 % of 100.00000001, up.
      await eventuallySatisfied(change, (balance) => units(balance) === before - units('0.30000001'));
      const cancelled = (amount: string, fee: string): string =>
        `Savings cancelled · ${amount} USDT is back in your account. ` +
        `A cancelled term earns no interest; the fee was ${fee} USDT.`;
      await inbox.receives(cancelled('1000', '0'), cancelled('99.7', '0.30000001'));
      expect((await cancel(free.id)).body).toMatchObject({ key: 'save.state' });
      await clockTo(Math.max(at(free.end_at), at(costly.end_at)) + 1_000);
      expect(await orderOf(free.id)).toMatchObject({ status: 3 });
      expect(units(await change())).toBe(before - units('0.30000001'));
      expect(await findFailingChecks()).toEqual([]);
    } finally {
      await back();
    }
  });

  test('a jump over months ends each term once, as of its own midnight [SAVE-015]', async () => {
    const before = units(await change());
    const terms = [WEEK, 2, MONTH, 4, 5];
    const taken: Order[] = [];
    for (const config_id of terms) taken.push(await subscribed({ config_id, amount: '100' }));
    await clockTo((await readClock()) + 120 * DAY_MS);
    for (const { id } of taken) expect(await ended(id)).toMatchObject({ status: 2 });
    // 0.4 + 0.5 + 0.7 + 0.9 + 1.2
    await eventuallySatisfied(change, (balance) => units(balance) === before + units('3.70000000'));
    expect(await findFailingChecks()).toEqual([]);
  });

  test('a cancel and the midnight of its end race: one of them wins, once [SAVE-016]', async () => {
    const before = units(await change());
    const taken: Order[] = [];
    for (let count = 0; count < 5; count += 1) taken.push(await subscribed({ config_id: WEEK, amount: '100' }));
    await clockTo(at(taken[0]!.end_at) - 1_000);
    const [answers] = await Promise.all([
      Promise.all(taken.map(({ id }) => cancel(id))),
      clockTo(at(taken[0]!.end_at)),
    ]);
    const ends = await Promise.all(taken.map(({ id }) => ended(id)));
    const won = answers.filter(({ body }) => body.type === 'ok').length;
    expect(ends.filter(({ status }) => status === 3).length).toBe(won);
    for (const { body } of answers) if (body.type !== 'ok') expect(body.key).toBe('save.state');
    await eventuallySatisfied(change, (balance) => units(balance) === before + BigInt(5 - won) * units('0.40000000'));
    expect(await findFailingChecks()).toEqual([]);
  });
});

describe('lists', () => {
  test('own orders by pages of 20 and by status; operators see all, or one person’s [SAVE-017]', async () => {
    const order = await subscribed({ config_id: WEEK, amount: '100' });
    expect(await orders()).toMatchObject({ page: 1, page_size: 20 });
    expect((await orders({ limit: 2 })).data).toHaveLength(2);
    expect((await orders({ limit: 2 })).has_more).toBe(1);
    expect((await orders({ status: 1 })).data.map(({ id }) => id)).toContain(order.id);
    for (const status of [1, 2, 3]) for (const row of (await orders({ status })).data) expect(row.status).toBe(status);
    expect((await get('/api/currency/deposit/lhDepositOrderList', { status: 4 }, { token })).body.key).toBe(
      'common.fieldInvalid',
    );
    const support = await operator('support1');
    const all = (fields: Fields) => done(get('/api/admin/savings', fields, { token: support }));
    expect((await all({ user_id: poor.id })).message.total).toBe(0);
    const { data } = (await all({})).message;
    expect(data[0]).toEqual({ ...(await orderOf(order.id)), user_id: userId });
    expect((await get('/api/admin/savings', {}, { token })).status).toBe(403);
  });

  test('a change of the terms is in the audit log and leaves agreed terms [SAVE-018]', async () => {
    const admin = await operator('operator');
    const order = await subscribed({ config_id: WEEK, amount: '100' });
    const save = (fields: Fields) => saveRow('catalog/deposit_configs', { id: WEEK, ...fields });
    await done(save({ interest_rate: '0.6', save_min: '200', is_open: 0 }));
    try {
      expect(await orderOf(order.id)).toMatchObject({ profit: '0.40000000', total_rate: '0.4' });
      expect((await subscribe({ config_id: WEEK, amount: '500' })).body.key).toBe('save.config');
      await done(save({ is_open: 1 }));
      expect((await subscribe({ config_id: WEEK, amount: '100' })).body).toMatchObject({ params: { min: '200' } });
      const { message } = await done(get('/api/admin/audit', {}, { token: admin }));
      // Newest first: the service that owns the row has saved it after the last approval.
      expect(message.data.slice(0, 2)).toMatchObject([
        { action: 'catalog.deposit_configs.save', target: `deposit_configs ${WEEK}` },
        { action: 'catalog.deposit_configs.save.approve', target: `deposit_configs ${WEEK}` },
      ]);
      expect((await save({ id: 99 })).body).toMatchObject({ key: 'common.notFound' });
    } finally {
      await done(save({ interest_rate: '0.4', save_min: '100', is_open: 1 }));
    }
  });
});
