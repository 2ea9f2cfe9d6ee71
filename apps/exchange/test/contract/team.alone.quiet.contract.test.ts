import { randomInt } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import type { MessageOf } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import { balanceOf, get, post, trader, type Fields } from './client.js';

import { inboxOf } from './inbox.js';
import { createCertified, createTrader, done, fund, createNewcomer, type Person } from './people.js';
import { readClock } from './dev-clock.js';

// Moves the business clock over midnights: it runs alone.
jest.setTimeout(testTimeoutMs(75_000));

const [BTC, USDT, PTS] = [1, 3, 900_001];
const TRC20 = 4;
const DAY_MS = 86_400_000;
/** Payments are at 00:05 UTC. */
const PAID_MS = 5 * 60_000;

type Tree = MessageOf<'POST /api/getNode'>;
const treeOf = async (fields: Record<string, string | number>, token?: string): Promise<Tree> =>
  (await post('/api/getNode', fields, token === undefined ? {} : { token })).body.message;

test('a fresh install has the team of its demo people, with masked names for its root alone [TEAM-013]', async () => {
  const [one, two] = [await trader(1), await trader(2)];
  const own = await eventuallySatisfied(
    () => treeOf({}, one),
    ({ show_message }) => show_message.real_teamnumber >= 2,
  );
  const second = own.results.find(({ id }) => id === 100_002);
  expect(second).toMatchObject({ name: 'tra****@demo.bourse', direct: 1 });
  expect(second?.children).toEqual([expect.objectContaining({ id: 100_003, name: 'tra****@demo.bourse' })]);
  // A member of the own team, and a user outside of it: then the own team is returned.
  expect((await treeOf({ user_id: 100_002 }, one)).results.map(({ id }) => id)).toEqual([100_003]);
  expect((await treeOf({ user_id: 100_001 }, two)).results.map(({ id }) => id)).toEqual([100_003]);
  const stranger = await treeOf({ user_id: 100_001 });
  expect(stranger.show_message).toEqual({ top_upnumber: '0', real_teamnumber: 0, rank: 0, direct: 0 });
  expect(stranger.results[0]).toEqual({ id: 1, children: [{ id: 2, children: [] }] });
  for (const [fields, key] of [
    [{ user_id: 4 }, 'common.notFound'],
    [{}, 'common.fieldRequired'],
    [{ user_id: 'x' }, 'common.fieldInvalid'],
  ] as const)
    expect((await post('/api/getNode', fields)).body).toMatchObject({ type: 'error', key, field: 'user_id' });
});

const midnightAfter = (time: number): number => (Math.floor(time / DAY_MS) + 1) * DAY_MS;
/**
 * Moves the clock: due timers have run; the feed follows the clock within a second, and before that no price is fresh.
 */
async function clockTo(time: number): Promise<void> {
  await done(post('/dev/clock', { set: String(time) }));
  await eventuallySatisfied(
    async () => (await get('/api/status')).body.type,
    (type) => type === 'ok',
    20_000,
  );
}
/** Returns the payments of a day to a user, as `value coin`. */
const paidFor = async (day: string, token: string): Promise<string[]> =>
  (await done(get('/api/profits/show_profits', {}, { token }))).message.data
    .filter(({ info }) => info.includes(day))
    .map(({ value, currency_name }) => `${value} ${currency_name}`)
    .sort();
const lines = async (type: number, currency: number, token: string): Promise<string[]> =>
  (await done(post('/api/wallet/legal_log', { type, currency }, { token }))).message.list.map(
    ({ value, info }) => `${value} ${info}`,
  );
const change = async (currency: number, token: string): Promise<bigint> =>
  BigInt(((await balanceOf(token, currency))['change_balance'] ?? '').replace('.', ''));
const pointsOf = async (token: string) => (await done(get('/api/jc/info', {}, { token }))).message;
const order = async (fields: Fields, token: string): Promise<string> =>
  String(
    (
      await done(
        post(
          '/api/coin/trade',
          { legal_id: USDT, currency_id: BTC, target_price: '56637.56', amount: '0.2', ...fields },
          { token },
        ),
      )
    ).id,
  );
const feeOf = async (id: string, token: string): Promise<string> => {
  const { fee, fee_currency } = await eventuallySatisfied(
    async () => (await get('/api/coin/order', { id }, { token })).body.message,
    ({ status }) => status === 2,
    20_000,
  );
  return `${fee} ${fee_currency}`;
};

/** Credits coins from the simulated chain. */
async function deposit({ token }: Person, currency: number, number: string, type?: number): Promise<void> {
  const before = await change(currency, token);
  const { message: address } = await done(post('/api/wallet/get_in_address', { currency, type }, { token }));
  await done(post('/dev/chain/deposit', { address: address, number, currency, type }));
  await done(post('/dev/chain/blocks', { count: 8 }));
  await eventuallySatisfied(
    () => change(currency, token),
    (units) => units > before,
    20_000,
  );
}
const codeOf = async ({ token }: Person): Promise<string> =>
  (await done(get('/api/user/info', {}, { token }))).message.extension_code;
/** Certified people, each invited by the one before; one more than there are steps. */
async function lineOf(steps: number): Promise<Person[]> {
  const line = [await createCertified()];
  while (line.length <= steps) line.push(await createCertified('Test Person', await codeOf(line.at(-1)!)));
  return line;
}
const figuresOf = async ({ token }: Person): Promise<Tree['show_message']> => (await treeOf({}, token)).show_message;

describe('a team over the public calls', () => {
  test('a certificate raises the head-count, a credited deposit the performance and the rank [TEAM-010]', async () => {
    const [root, leader] = (await lineOf(1)) as [Person, Person];
    const inbox = await inboxOf(leader.token);
    const code = await codeOf(leader);
    const heads = (person: Person, count: number): Promise<unknown> =>
      eventuallySatisfied(
        () => figuresOf(person),
        ({ real_teamnumber }) => real_teamnumber === count,
        20_000,
      );
    await heads(root, 1);
    // A user who has only registered is in the tree and does not count.
    const plain = await createNewcomer(code);
    await eventuallySatisfied(
      () => treeOf({}, leader.token),
      ({ results }) => results.some(({ id }) => id === plain.id),
      20_000,
    );
    expect(await figuresOf(leader)).toEqual({ top_upnumber: '0', real_teamnumber: 0, rank: 0, direct: 0 });
    const members: Person[] = [];
    for (const count of [1, 2, 3]) {
      members.push(await createCertified('Test Person', code));
      await heads(leader, count);
      await heads(root, 1 + count);
      expect(await figuresOf(leader)).toMatchObject({ direct: count, rank: count < 3 ? 0 : 1 });
    }
    await inbox.receives('New team rank · Your team has reached rank 1.');
    // Rank 2: 5 direct, 20 in the team, and 10,000 of deposits, which come last.
    for (const count of [4, 5]) {
      members.push(await createCertified('Test Person', code));
      await heads(leader, count);
    }
    const below = await codeOf(members[0]!);
    for (let count = 6; count <= 20; count += 1) await createCertified('Test Person', below);
    await heads(leader, 20);
    expect(await figuresOf(leader)).toMatchObject({ direct: 5, rank: 1, top_upnumber: '0' });
    expect(await figuresOf(root)).toMatchObject({ real_teamnumber: 21, direct: 1, rank: 0 });
    const sums = (person: Person, topUp: string): Promise<unknown> =>
      eventuallySatisfied(
        () => figuresOf(person),
        ({ top_upnumber }) => top_upnumber === topUp,
        20_000,
      );
    await deposit(members[1]!, USDT, '9999.99', TRC20);
    await sums(leader, '9999.99');
    await sums(root, '9999.99');
    expect(await figuresOf(leader)).toMatchObject({ rank: 1 });
    await deposit(members[2]!, USDT, '100', TRC20);
    await sums(leader, '10099.99');
    expect(await figuresOf(leader)).toMatchObject({ rank: 2 });
    await inbox.receives(
      'New team rank · Your team has reached rank 1.',
      'New team rank · Your team has reached rank 2.',
    );
    // A user's own deposits count only for those above.
    expect(await figuresOf(members[1]!)).toMatchObject({ top_upnumber: '0' });
    expect(await findFailingChecks()).toEqual([]);
  });
});

describe('a fee of a trade, and the midnight after it', () => {
  test('three above get 20, 10 and 5 percent, the payer points [TEAM-020, TEAM-022, POINTS-040]', async () => {
    const line = (await lineOf(3)) as [Person, Person, Person, Person];
    const [one, two, three, four] = line.map(({ token }) => token) as [string, string, string, string];
    await fund(line[2], { change: { [USDT]: '20000' } });
    await done(
      post('/api/jc/bind', { user_name: `jcdemo${randomInt(1_000, 9_999)}`, password: 'jcdemo1' }, { token: four }),
    );
    await eventuallySatisfied(
      () => pointsOf(four),
      ({ jc_integral }) => jc_integral === '1000.00000000',
      20_000,
    );
    await deposit(line[3], BTC, '0.3');

    // A day of its own: rebates of earlier trades are paid.
    await clockTo(midnightAfter(await readClock()) + 2 * PAID_MS);
    const start = await readClock();
    const day = new Date(start).toISOString().slice(0, 10);
    const sold = await order({ type: 2 }, four);
    const bought = await order({ type: 1 }, three);
    expect([await feeOf(sold, four), await feeOf(bought, three)]).toEqual(['11.32751200 USDT', '0.00020000 BTC']);
    await eventuallySatisfied(
      () => change(USDT, four),
      (units) => units === 1_131_618_448_800n,
      20_000,
    );
    const before = await Promise.all([one, three].map((token) => change(USDT, token)));

    await clockTo(midnightAfter(start) + PAID_MS - 30_000);
    expect(await paidFor(day, three)).toEqual([]);
    await clockTo(midnightAfter(start) + 2 * PAID_MS);
    const awaitRebates = (token: string, rebates: readonly string[]): Promise<string[]> =>
      eventuallySatisfied(
        () => paidFor(day, token),
        (found) => found.length === rebates.length,
        15_000,
      );
    for (const [token, rebates] of [
      [three, ['2.26550240 USDT']],
      [two, ['0.00004000 BTC', '1.13275120 USDT']],
      [one, ['0.00002000 BTC', '0.56637560 USDT']],
    ] as const)
      expect(await awaitRebates(token, rebates)).toEqual(rebates);
    expect(await paidFor(day, four)).toEqual([]);
    const after = await Promise.all([one, three].map((token) => change(USDT, token)));
    expect(after.map((units, index) => units - before[index]!)).toEqual([56_637_560n, 226_550_240n]);
    const rebate = (text: string): string => `${text} Team rebate`;
    expect(await lines(2, USDT, three)).toContain(rebate('2.26550240'));
    expect(await lines(2, USDT, two)).toContain(rebate('1.13275120'));
    expect(await lines(2, BTC, two)).toContain(rebate('0.00004000'));
    expect(await lines(2, BTC, one)).toContain(rebate('0.00002000'));

    // Booked on this day, free from the next: the points of the binding are free by now.
    await eventuallySatisfied(
      () => pointsOf(four),
      ({ jc_integral }) => jc_integral === '1011.32751200',
      15_000,
    );
    expect(await pointsOf(four)).toMatchObject({ free_jc_integral: '1000.00000000' });
    expect(await lines(7, PTS, four)).toEqual([
      '11.32751200 Points for fees',
      '1000.00000000 Points of a bound account',
    ]);

    await clockTo(midnightAfter(await readClock()) + 2 * PAID_MS);
    expect(await pointsOf(four)).toMatchObject({
      jc_integral: '1011.32751200',
      free_jc_integral: '1011.32751200',
    });
    expect(await paidFor(day, three)).toEqual(['2.26550240 USDT']);
    expect(await Promise.all([one, three].map((token) => change(USDT, token)))).toEqual(after);
    expect(await findFailingChecks()).toEqual([]);
  });

  test('the worked example of rules §11: a fee of 10 USDT gives 2, 1 and 0.50 [TEAM-020]', async () => {
    const line = await lineOf(3);
    const [payer, first, second, third] = [line[3]!, line[2]!, line[1]!, line[0]!];
    await deposit(payer, BTC, '0.2');
    const { token: buyer } = await createTrader({ change: { [USDT]: '20000' } });
    await clockTo(midnightAfter(await readClock()) + 2 * PAID_MS);
    const start = await readClock();
    const day = new Date(start).toISOString().slice(0, 10);
    // 0.1 percent of 0.2 BTC at 50,000.00 is 10 USDT.
    const terms: Fields = { target_price: '50000.00', amount: '0.2' };
    const bought = await order({ ...terms, type: 1 }, buyer);
    const sold = await order({ ...terms, type: 2 }, payer.token);
    expect(await feeOf(sold, payer.token)).toBe('10.00000000 USDT');
    await feeOf(bought, buyer);
    await clockTo(midnightAfter(start) + 2 * PAID_MS);
    for (const [{ token }, rebate] of [
      [first, '2.00000000'],
      [second, '1.00000000'],
      [third, '0.50000000'],
    ] as const) {
      await eventuallySatisfied(
        () => paidFor(day, token),
        (found) => found.length > 0,
        15_000,
      );
      expect(await paidFor(day, token)).toEqual([`${rebate} USDT`]);
      expect(await lines(2, USDT, token)).toEqual([`${rebate} Team rebate`]);
      expect(await change(USDT, token)).toBe(BigInt(rebate.replace('.', '')));
    }
    expect(await paidFor(day, payer.token)).toEqual([]);
    expect(await findFailingChecks()).toEqual([]);
  });

  test('no list, wallet, transfer, withdrawal or proof of solvency knows points [POINTS-047]', async () => {
    const token = await trader(3);
    for (const path of ['/api/currency/list', '/api/wallet/list', '/api/solvency/latest']) {
      const { body } = await get(path, {}, { token });
      expect(body.type).toBe('ok');
      expect(JSON.stringify(body)).not.toMatch(/PTS|900001/);
    }
    for (const [path, fields] of [
      ['/api/wallet/detail', {}],
      ['/api/wallet/get_in_address', {}],
      ['/api/wallet/change', { from_field: 'points', to_field: 'change', number: '1' }],
      ['/api/wallet/out', { number: '1', address: 'x', pay_password: 'fund66' }],
    ] as const)
      expect((await post(path, { currency: PTS, currency_id: PTS, ...fields }, { token })).body.type).toBe('error');
    expect((await get('/api/solvency/proof', { currency: PTS }, { token })).body.type).toBe('error');
  });
});
