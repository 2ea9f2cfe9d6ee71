import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SEED_CURRENCIES } from '@bourse/contract';
import { formatUnits, toUnits } from '@bourse/money';
import { WrittenAmount } from '@bourse/platform';
import fc from 'fast-check';
import { shopRules } from '../src/application/shop-ads.js';
import { SHOP_DEPOSIT } from '../src/application/shop-settings.js';
import { moneyFor, type Ad } from '../src/domain/ad.js';
import { BTC, contextOf, keyOf, SELLER, seller, ShopWorld, USDT } from './shop-world.js';

const usdt = (text: string): bigint => toUnits(text, 8);
let world: ShopWorld;
beforeEach(async () => {
  world = new ShopWorld();
  world.give('legal', USDT, '3000');
  world.give('merchant', USDT, '20000');
  await world.start();
});
afterEach(() => world.stop());
const shopId = (at = 0): number => world.rows()[at]!.id;

describe('an application', () => {
  test('holds the deposit of its level out of the legal account, and waits for support [SHOP-001]', async () => {
    const answer = await world.apply();
    expect(answer).toMatchObject({
      key: 'shop.applied',
      extra: {
        shop: { name: 'Harbour Desk', status: 0, level: 'verified', deposit: '500.00000000', deals: 0, ads: 0 },
      },
    });
    expect(answer.extra['shop']).toMatchObject({
      merchant_balance: '20000.00000000',
      lock_merchant_balance: '500.00000000',
    });
    expect(world.ledger.holds()).toEqual(new Map([[`shop:${shopId()}`, '500.00000000']]));
    expect([world.purse('legal'), world.purse('merchant')]).toEqual([usdt('2500'), usdt('20000')]);
    expect(world.rows()).toMatchObject([{ state: 'review', deposit: usdt('500') }]);
  });

  test('is refused by the ledger: nothing is left, and it can be tried again [SHOP-001]', async () => {
    world.give('legal', USDT, '-2600');
    expect(await keyOf(world.apply())).toBe('balance.insufficient');
    expect([world.rows(), world.ledger.holds().size]).toEqual([[], 0]);
    world.give('legal', USDT, '100');
    expect(await keyOf(world.apply())).toBe('shop.applied');
  });

  test('is refused in its order: coin, fund password [SHOP-001]', async () => {
    const other = SEED_CURRENCIES.find(({ isLegal }) => !isLegal)!.id;
    expect(await keyOf(world.apply({ currencyId: other, password: undefined }))).toBe('common.fieldInvalid');
    expect(await keyOf(world.apply({ password: undefined }))).toBe('fund.required');
    expect(await keyOf(world.apply({ password: 'wrong6' }))).toBe('fund.wrong');
    expect(world.rows()).toEqual([]);
  });

  test('is one per person and coin, however many ask at once; another coin is another shop [SHOP-006]', async () => {
    const keys = await Promise.all([world.apply(), world.apply(), world.apply()].map(keyOf));
    expect(keys.sort()).toEqual(['legal.exists', 'legal.exists', 'shop.applied']);
    expect(await keyOf(world.apply({ currencyId: BTC }))).toBe('shop.applied');
    expect(await keyOf(world.apply({ currencyId: BTC }))).toBe('legal.exists');
    expect(world.ledger.holds().size).toBe(2);
  });

  test('made again under its key is the same one [SHOP-006]', async () => {
    const first = await world.apply({}, contextOf('same'));
    expect(await world.apply({}, contextOf('same'))).toEqual(first);
    expect(world.rows()).toHaveLength(1);
  });
});

describe('support', () => {
  test('opens it: the owner is a seller then, and the deposit stays held [SHOP-002]', async () => {
    await world.apply();
    expect(await keyOf(world.decide(shopId(), true))).toBe('shop.opened');
    expect(world.roles).toEqual([{ userId: SELLER, isSeller: true }]);
    expect(world.rows()).toMatchObject([{ state: 'open', level: 'verified', deposit: usdt('500') }]);
    expect(world.ledger.holds().size).toBe(1);
    expect(await keyOf(world.decide(shopId(), false))).toBe('admin.decided');
  });

  test('opens it at a lower level: the difference goes back, by the deposit of now [SHOP-002]', async () => {
    await world.apply({ level: 'advanced' });
    world.settings.set(SHOP_DEPOSIT.verified, usdt('600') as never);
    expect(await keyOf(world.decide(shopId(), true, 'verified'))).toBe('shop.opened');
    expect(world.purse('legal')).toBe(usdt('2400'));
    expect(world.ledger.holds()).toEqual(new Map([[`shop:${shopId()}`, '600.00000000']]));
    expect(world.rows()).toMatchObject([{ level: 'verified', deposit: usdt('600') }]);
  });

  test('cannot open it at a higher level, nor one that is not there [SHOP-002]', async () => {
    await world.apply();
    expect(await keyOf(world.decide(shopId(), true, 'advanced'))).toBe('common.fieldInvalid');
    expect(await keyOf(world.decide(4_711, true))).toBe('common.notFound');
    expect([world.roles, world.rows()[0]!.state]).toEqual([[], 'review']);
  });

  test('refuses it: the deposit goes back, nobody becomes a seller, one may ask again [SHOP-003]', async () => {
    await world.apply();
    expect(await keyOf(world.decide(shopId(), false))).toBe('shop.refused');
    expect([world.purse('legal'), world.purse('merchant')]).toEqual([usdt('3000'), usdt('20000')]);
    expect([world.ledger.holds().size, world.roles]).toEqual([0, []]);
    expect(await keyOf(world.apply())).toBe('shop.applied');
    expect(await world.shops.mine(seller(SELLER, false))).toMatchObject([
      { status: 0 },
      { status: 2, deposit: '0.00000000' },
    ]);
  });

  test('two at once decide once [SHOP-003]', async () => {
    await world.apply();
    const keys = await Promise.all([world.decide(shopId(), false), world.decide(shopId(), false)].map(keyOf));
    expect(keys.sort()).toEqual(['admin.decided', 'shop.refused']);
    expect(world.purse('legal')).toBe(usdt('3000'));
  });
});

describe('coins of a shop', () => {
  beforeEach(async () => {
    await world.apply();
  });

  test('go in and out for its owner, once it is open [SHOP-007]', async () => {
    expect(await keyOf(world.transfer(shopId(), 'in', '100'))).toBe('legal.notOpen');
    await world.decide(shopId(), true);
    expect((await world.transfer(shopId(), 'in', '100')).extra['shop']).toMatchObject({
      merchant_balance: '20100.00000000',
    });
    expect((await world.transfer(shopId(), 'out', '300.5')).extra['shop']).toMatchObject({
      merchant_balance: '19799.50000000',
    });
    expect([world.purse('legal'), world.purse('merchant')]).toEqual([usdt('2700.5'), usdt('19799.5')]);
    expect(await keyOf(world.transfer(shopId(), 'in', '2700.51'))).toBe('balance.insufficient');
    expect(await keyOf(world.transfer(shopId(), 'in', '0'))).toBe('common.fieldInvalid');
  });

  test('are out of reach for others, and for who is no seller [SHOP-007]', async () => {
    await world.decide(shopId(), true);
    expect(await keyOf(world.transfer(shopId(), 'out', '1', seller(100_001)))).toBe('common.notFound');
    expect(await keyOf(world.transfer(shopId(), 'out', '1', seller(100_001, false)))).toBe('common.noPermission');
    expect(await keyOf(world.transfer(shopId(), 'in', '1', seller(SELLER, false)))).toBe('common.noPermission');
    expect(await keyOf(world.shops.mine(seller(100_001, false)))).toBe('common.noPermission');
    expect(await world.shops.mine(seller(100_001))).toEqual([]);
  });
});

test('what somebody has in the merchant account is theirs, also without the role of a seller [SHOP-007]', async () => {
  await world.apply();
  await world.decide(shopId(), true);
  const before = [world.purse('legal'), world.purse('merchant')] as const;
  await world.transfer(shopId(), 'out', '300', seller(SELLER, false));
  expect([world.purse('legal') - before[0], before[1] - world.purse('merchant')]).toEqual([usdt('300'), usdt('300')]);
});

test('a decision asked for again under its key is answered again, with a refund or none [SHOP-003]', async () => {
  world.give('legal', USDT, '10000');
  const decisions = [
    ['shop.opened', true, 'advanced'],
    ['shop.opened', true, 'verified'],
    ['shop.refused', false, undefined],
  ] as const;
  for (const [at, [key, pass, level]] of decisions.entries()) {
    await world.apply({ level: 'advanced', currencyId: [USDT, BTC, 2][at]! });
    const id = world.rows().find(({ state }) => state === 'review')!.id;
    const again = (): Promise<unknown> => keyOf(world.decide(id, pass, level, contextOf(`decision-${at}`)));
    expect([await again(), await again()]).toEqual([key, key]);
    expect(await keyOf(world.decide(id, pass, level))).toBe('admin.decided');
  }
  expect(world.roles).toHaveLength(2);
});

test('a decision that was refused is refused again under its key, and no other one [SHOP-003]', async () => {
  await world.apply();
  const next = shopId() + 1;
  const early = (): Promise<unknown> => keyOf(world.decide(next, true, undefined, contextOf('early-decision')));
  expect(await early()).toBe('common.notFound');
  await world.apply({ currencyId: BTC });
  expect(shopId(1)).toBe(next);
  expect(await early()).toBe('common.notFound');
  expect(await keyOf(world.decide(next, true))).toBe('shop.opened');
});

test('the limit of a level is in coins of the shop, by the price of now, down [SHOP-004]', () => {
  const coin = (id: number) => SEED_CURRENCIES.find((row) => row.id === id)!;
  expect(world.catalog.limit('verified', coin(USDT))).toBe(usdt('5000'));
  expect(world.catalog.limit('advanced', coin(USDT))).toBe(usdt('50000'));
  expect(world.catalog.limit('verified', coin(BTC))).toBe(usdt('0.1'));
  world.price = '30000';
  expect(world.catalog.limit('verified', coin(BTC))).toBe(usdt('0.16666666'));
  world.price = null;
  expect(() => world.catalog.limit('verified', coin(BTC))).toThrow(expect.objectContaining({ key: 'market.stale' }));
});

describe('what is taken of an ad', () => {
  const ad = { min: usdt('10'), max: usdt('600'), surplus: usdt('500'), scale: 8, fiatScale: 2, price: 650n } as Ad;
  const written = (text: string | undefined, field: string) =>
    text === undefined ? undefined : new WrittenAmount(text, field, {});
  const rules = (fields: { number?: string; money?: string }) =>
    shopRules({ number: written(fields.number, 'number'), money: written(fields.money, 'money') });
  const refusal = (fields: { number?: string; money?: string }) =>
    keyOf(Promise.resolve().then(() => (rules(fields).readFields(), rules(fields).numberOf(ad))));

  test('a number, or as many coins as the money buys; one of them must be there [SHOP-005]', async () => {
    expect(rules({ number: '20' }).numberOf(ad)).toBe(usdt('20'));
    expect(rules({ money: '3250' }).numberOf(ad)).toBe(usdt('500'));
    expect(rules({ money: '100' }).numberOf(ad)).toBe(usdt('15.38461538'));
    expect(await refusal({})).toBe('legal.numberRequired');
    expect(await refusal({ number: '9.99999999' })).toBe('legal.belowMin');
    expect(await refusal({ number: '601' })).toBe('legal.aboveMax');
    expect(await refusal({ number: '501' })).toBe('legal.aboveSurplus');
    expect(await refusal({ number: '20.123456789' })).toBe('common.fieldInvalid');
    expect(await refusal({ money: '100.001' })).toBe('common.fieldInvalid');
  });

  test('the deal never costs more than the money that was named [SHOP-005]', () => {
    fc.assert(
      fc.property(fc.bigInt(6_500n, 325_000n), fc.bigInt(1n, 100_000n), (money, price) => {
        const wide = { ...ad, price, min: 0n, max: 10n ** 30n, surplus: 10n ** 30n };
        const number = rules({ money: formatUnits(money, 2) }).numberOf(wide);
        expect(moneyFor(wide, number)).toBeLessThanOrEqual(money);
      }),
    );
  });
});
