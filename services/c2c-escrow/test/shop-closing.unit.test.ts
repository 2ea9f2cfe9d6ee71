import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { toUnits } from '@bourse/money';
import fc from 'fast-check';
import { closeShop, beginClosing } from '../src/shops/domain/shop.js';
import { AD, DEAL } from '../src/simulation/deal-stores.js';
import { SHOP } from '../src/simulation/shop-stores.js';
import { BTC, createContext, toKey, seller, SELLER, ShopWorld, USDT } from './shop-world.js';

const usdt = (text: string): bigint => toUnits(text, 8);
let world: ShopWorld;
beforeEach(async () => {
  world = new ShopWorld();
  world.give('legal', USDT, '3000');
  await world.start();
});
afterEach(() => world.stop());

/** An open shop with this balance in the merchant account. */
async function open(merchant = '700'): Promise<number> {
  await world.apply();
  const id = world.rows().at(-1)!.id;
  await world.decide(id, true);
  if (merchant !== '0') await world.transfer(id, 'in', merchant);
  return id;
}

test('only an open shop without ads and deals closes [HARD-441]', async () => {
  await open();
  const [shop] = world.rows();
  expect(beginClosing(shop!, false)).toMatchObject({ state: 'closing', deposit: usdt('500') });
  expect(beginClosing(shop!, true)).toBe('legal.busy');
  for (const state of ['waiting', 'review', 'closing', 'refused', 'closed'] as const)
    expect(beginClosing({ ...shop!, state }, false)).toBe('legal.notOpen');
  expect(closeShop({ ...shop!, state: 'closing' }, 9)).toEqual({
    ...shop!,
    state: 'closed',
    deposit: 0n,
    decidedAt: 9,
  });
});

test('a closed shop returns all coins, and its owner loses the role and may apply again [HARD-441]', async () => {
  const id = await open();
  const context = createContext();
  const answer = await world.close(id, seller(), context);
  expect(answer).toMatchObject({
    key: 'legal.closed',
    extra: { shop: { id, status: 3, deposit: '0.00000000', merchant_balance: '0.00000000' } },
  });
  expect([world.balanceOf('legal'), world.balanceOf('merchant')]).toEqual([usdt('3000'), 0n]);
  expect(world.roles.at(-1)).toEqual({ userId: SELLER, isSeller: false });
  expect(await world.close(id, seller(), context)).toEqual(answer);
  expect(await toKey(world.close(id))).toBe('legal.notOpen');
  expect(await toKey(world.apply())).toBe('shop.applied');
  expect(world.rows().map(({ state }) => state)).toEqual(['closed', 'review']);
});

test.each([
  ['an ad on the shelf', AD, { state: 'shelf' }],
  ['an ad that waits for the ledger', AD, { state: 'waiting' }],
  ['an unpaid deal', DEAL, { state: 'unpaid' }],
  ['a paid deal', DEAL, { state: 'paid' }],
])('%s keeps a shop open [HARD-441]', async (_what, table, row) => {
  const shopId = await open();
  await world.put(table, { ...row, shopId });
  expect(await toKey(world.close(shopId))).toBe('legal.busy');
  await world.put(table, { ...row, shopId: shopId + 1 });
  expect(await toKey(world.close(shopId))).toBe('legal.closed');
});

test('a person without the role, or another one than the owner, cannot close a shop [HARD-441]', async () => {
  const id = await open();
  expect(await toKey(world.close(id, seller(SELLER, false)))).toBe('common.noPermission');
  expect(await toKey(world.close(id, seller(7)))).toBe('common.notFound');
  expect(world.rows()[0]?.state).toBe('open');
});

test('the role is revoked later when auth is unavailable, and kept with another open shop [HARD-441]', async () => {
  const id = await open();
  world.isAuthAway = true;
  expect(await toKey(world.close(id))).toBe('legal.closed');
  expect(world.roles.at(-1)).toMatchObject({ isSeller: true });
  world.isAuthAway = false;
  await world.timers.runDue();
  expect(world.roles.at(-1)).toMatchObject({ isSeller: false });
  const [next, other] = [await open(), await world.apply({ currencyId: 1 }).then(() => world.rows().at(-1)!.id)];
  await world.decide(other, true);
  const asked = world.roles.length;
  await world.close(next);
  await world.timers.runDue();
  expect(world.roles).toHaveLength(asked);
});

test('a shop that opens while the end of another one revokes the role leaves a seller [SHOP-031]', async () => {
  const id = await open();
  await world.apply({ currencyId: BTC });
  const [next] = world.rows().filter(({ state }) => state === 'review');
  world.duringRole = () => world.decide(next!.id, true);
  expect(await toKey(world.close(id))).toBe('legal.closed');
  expect(world.isSeller()).toBe(true);
  await world.timers.runDue();
  expect([world.isSeller(), world.rows().map(({ state }) => state)]).toEqual([true, ['closed', 'open']]);
});

test('a shop whose owner loses the role before its decision is stored makes a seller again [SHOP-031]', async () => {
  const id = await open();
  await world.apply({ currencyId: BTC });
  const [next] = world.rows().filter(({ state }) => state === 'review');
  world.afterRole = () => world.close(id);
  expect(await toKey(world.decide(next!.id, true))).toBe('shop.opened');
  expect(world.isSeller()).toBe(false);
  await world.timers.runDue();
  const asked = world.roles.length;
  await world.timers.runDue();
  expect([world.isSeller(), world.roles.length]).toEqual([true, asked]);
});

/** Half a minute later the timers of roles are due. */
const laterTimers = (): Promise<unknown> => {
  world.ahead += 30_000;
  return world.timers.runDue();
};
/** A shop in review. */
async function applied(currencyId = USDT): Promise<number> {
  await world.apply({ currencyId });
  return world.rows().at(-1)!.id;
}

test('a shop that one operator refuses while another opens it leaves no seller [SHOP-034]', async () => {
  const afterwards = await applied();
  world.afterRole = () => world.decide(afterwards, false);
  expect(await toKey(world.decide(afterwards, true))).toBe('admin.decided');
  await laterTimers();
  expect([world.isSeller(), world.rows()[0]!.state]).toEqual([false, 'refused']);
  const before = await applied();
  world.duringRole = async () => {
    await world.decide(before, false);
    await world.timers.runDue();
  };
  expect(await toKey(world.decide(before, true))).toBe('admin.decided');
  expect(world.isSeller()).toBe(true);
  await laterTimers();
  expect([world.isSeller(), world.rows()[1]!.state]).toEqual([false, 'refused']);
});

test('a refused shop changes no role of a person with another shop, or of none [SHOP-034]', async () => {
  await world.decide(await applied(), false);
  await laterTimers();
  expect(world.roles).toEqual([]);
  await open();
  await world.decide(await applied(BTC), false);
  await laterTimers();
  expect(world.roles).toEqual([{ userId: SELLER, isSeller: true }]);
});

test('a person with more than a hundred refused applications keeps the role of an older shop [SHOP-031]', async () => {
  const id = await open();
  await world.apply({ currencyId: BTC });
  const other = world.rows().at(-1)!;
  await world.decide(other.id, true);
  for (let number = 1; number <= 101; number += 1)
    await world.put(SHOP, { ...other, id: other.id + number, state: 'refused' }, String(other.id + number));
  expect(await toKey(world.close(id))).toBe('legal.closed');
  expect(world.isSeller()).toBe(true);
});

test('a closed shop leaves its owner’s total unchanged, whatever the merchant balance [HARD-441]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('in', 'out'), fc.bigInt(1n, 2n * 10n ** 11n)), { maxLength: 6 }),
      async (moves) => {
        const before = world.balanceOf('legal') + world.balanceOf('merchant');
        const id = await open('0');
        for (const [direction, units] of moves) {
          const number = `${units / 10n ** 8n}.${String(units % 10n ** 8n).padStart(8, '0')}`;
          await toKey(world.transfer(id, direction as 'in' | 'out', number));
        }
        expect(await toKey(world.close(id))).toBe('legal.closed');
        expect([world.balanceOf('legal'), world.balanceOf('merchant')]).toEqual([before, 0n]);
      },
    ),
    { numRuns: 25 },
  );
});
