import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SEED_CURRENCIES } from '@bourse/contract';
import { formatUnits, toUnits } from '@bourse/money';
import { WrittenAmount } from '@bourse/platform';
import fc from 'fast-check';
import { toShopRules } from '../src/shops/application/shop-ads.js';
import { SHOP_DEPOSIT } from '../src/shops/application/settings.js';
import { calculateMoney, type Ad } from '../src/deals/domain/ad.js';
import { BTC, createContext, toKey, SELLER, seller, ShopWorld, USDT } from './shop-world.js';

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
  test('holds the deposit of its level from the legal account and waits for support [SHOP-001]', async () => {
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
    expect([world.balanceOf('legal'), world.balanceOf('merchant')]).toEqual([usdt('2500'), usdt('20000')]);
    expect(world.rows()).toMatchObject([{ state: 'review', deposit: usdt('500') }]);
  });

  test('leaves nothing when the ledger refuses it, and can be tried again [SHOP-001]', async () => {
    world.give('legal', USDT, '-2600');
    expect(await toKey(world.apply())).toBe('balance.insufficient');
    expect([world.rows(), world.ledger.holds().size]).toEqual([[], 0]);
    world.give('legal', USDT, '100');
    expect(await toKey(world.apply())).toBe('shop.applied');
  });

  test('is refused in the order coin, fund password [SHOP-001]', async () => {
    const other = SEED_CURRENCIES.find(({ isLegal }) => !isLegal)!.id;
    expect(await toKey(world.apply({ currencyId: other, password: undefined }))).toBe('common.fieldInvalid');
    expect(await toKey(world.apply({ password: undefined }))).toBe('fund.required');
    expect(await toKey(world.apply({ password: 'wrong6' }))).toBe('fund.wrong');
    expect(world.rows()).toEqual([]);
  });

  test('is one per person and coin, also with concurrent calls [SHOP-006]', async () => {
    const keys = await Promise.all([world.apply(), world.apply(), world.apply()].map(toKey));
    expect(keys.sort()).toEqual(['legal.exists', 'legal.exists', 'shop.applied']);
    expect(await toKey(world.apply({ currencyId: BTC }))).toBe('shop.applied');
    expect(await toKey(world.apply({ currencyId: BTC }))).toBe('legal.exists');
    expect(world.ledger.holds().size).toBe(2);
  });

  test('repeated under its key is the same one [SHOP-006]', async () => {
    const first = await world.apply({}, createContext('same'));
    expect(await world.apply({}, createContext('same'))).toEqual(first);
    expect(world.rows()).toHaveLength(1);
  });
});

describe('support', () => {
  test('opens a shop: the owner becomes a seller, and the deposit stays held [SHOP-002]', async () => {
    await world.apply();
    expect(await toKey(world.decide(shopId(), true))).toBe('shop.opened');
    expect(world.roles).toEqual([{ userId: SELLER, isSeller: true }]);
    expect(world.rows()).toMatchObject([{ state: 'open', level: 'verified', deposit: usdt('500') }]);
    expect(world.ledger.holds().size).toBe(1);
    expect(await toKey(world.decide(shopId(), false))).toBe('admin.decided');
  });

  test('opens a shop at a lower level and returns the difference to the current deposit [SHOP-002]', async () => {
    await world.apply({ level: 'advanced' });
    world.settings.set(SHOP_DEPOSIT.verified, usdt('600') as never);
    expect(await toKey(world.decide(shopId(), true, 'verified'))).toBe('shop.opened');
    expect(world.balanceOf('legal')).toBe(usdt('2400'));
    expect(world.ledger.holds()).toEqual(new Map([[`shop:${shopId()}`, '600.00000000']]));
    expect(world.rows()).toMatchObject([{ level: 'verified', deposit: usdt('600') }]);
  });

  test('cannot open a shop at a higher level, nor a missing one [SHOP-002]', async () => {
    await world.apply();
    expect(await toKey(world.decide(shopId(), true, 'advanced'))).toBe('common.fieldInvalid');
    expect(await toKey(world.decide(4_711, true))).toBe('common.notFound');
    expect([world.roles, world.rows()[0]!.state]).toEqual([[], 'review']);
  });

  test('refuses a shop: the deposit goes back, and the person may apply again [SHOP-003]', async () => {
    await world.apply();
    expect(await toKey(world.decide(shopId(), false))).toBe('shop.refused');
    expect([world.balanceOf('legal'), world.balanceOf('merchant')]).toEqual([usdt('3000'), usdt('20000')]);
    expect([world.ledger.holds().size, world.roles]).toEqual([0, []]);
    expect(await toKey(world.apply())).toBe('shop.applied');
    expect(await world.shops.listOwn(seller(SELLER, false))).toMatchObject([
      { status: 0 },
      { status: 2, deposit: '0.00000000' },
    ]);
  });

  test('decides once when two operators decide at once [SHOP-003]', async () => {
    await world.apply();
    const keys = await Promise.all([world.decide(shopId(), false), world.decide(shopId(), false)].map(toKey));
    expect(keys.sort()).toEqual(['admin.decided', 'shop.refused']);
    expect(world.balanceOf('legal')).toBe(usdt('3000'));
  });
});

describe('coins of a shop', () => {
  beforeEach(async () => {
    await world.apply();
  });

  test('go in and out for the owner of an open shop [SHOP-007]', async () => {
    expect(await toKey(world.transfer(shopId(), 'in', '100'))).toBe('legal.notOpen');
    await world.decide(shopId(), true);
    expect((await world.transfer(shopId(), 'in', '100')).extra['shop']).toMatchObject({
      merchant_balance: '20100.00000000',
    });
    expect((await world.transfer(shopId(), 'out', '300.5')).extra['shop']).toMatchObject({
      merchant_balance: '19799.50000000',
    });
    expect([world.balanceOf('legal'), world.balanceOf('merchant')]).toEqual([usdt('2700.5'), usdt('19799.5')]);
    expect(await toKey(world.transfer(shopId(), 'in', '2700.51'))).toBe('balance.insufficient');
    expect(await toKey(world.transfer(shopId(), 'in', '0'))).toBe('common.fieldInvalid');
  });

  test('cannot be moved by others, nor by a person who is not a seller [SHOP-007]', async () => {
    await world.decide(shopId(), true);
    expect(await toKey(world.transfer(shopId(), 'out', '1', seller(100_001)))).toBe('common.notFound');
    expect(await toKey(world.transfer(shopId(), 'out', '1', seller(100_001, false)))).toBe('common.noPermission');
    expect(await toKey(world.transfer(shopId(), 'in', '1', seller(SELLER, false)))).toBe('common.noPermission');
    expect(await toKey(world.shops.listOwn(seller(100_001, false)))).toBe('common.noPermission');
    expect(await world.shops.listOwn(seller(100_001))).toEqual([]);
  });
});

test('the merchant balance stays its owner’s without the role of a seller [SHOP-007]', async () => {
  await world.apply();
  await world.decide(shopId(), true);
  const before = [world.balanceOf('legal'), world.balanceOf('merchant')] as const;
  await world.transfer(shopId(), 'out', '300', seller(SELLER, false));
  expect([world.balanceOf('legal') - before[0], before[1] - world.balanceOf('merchant')]).toEqual([
    usdt('300'),
    usdt('300'),
  ]);
});

test('a decision repeated under its key gets the same answer, with or without a refund [SHOP-003]', async () => {
  world.give('legal', USDT, '10000');
  const decisions = [
    ['shop.opened', true, 'advanced'],
    ['shop.opened', true, 'verified'],
    ['shop.refused', false, undefined],
  ] as const;
  for (const [at, [key, pass, level]] of decisions.entries()) {
    await world.apply({ level: 'advanced', currencyId: [USDT, BTC, 2][at]! });
    const id = world.rows().find(({ state }) => state === 'review')!.id;
    const again = (): Promise<unknown> => toKey(world.decide(id, pass, level, createContext(`decision-${at}`)));
    expect([await again(), await again()]).toEqual([key, key]);
    expect(await toKey(world.decide(id, pass, level))).toBe('admin.decided');
  }
  expect(world.roles).toHaveLength(2);
});

test('a refused decision is refused again under its key, and not under another one [SHOP-003]', async () => {
  await world.apply();
  const next = shopId() + 1;
  const early = (): Promise<unknown> => toKey(world.decide(next, true, undefined, createContext('early-decision')));
  expect(await early()).toBe('common.notFound');
  await world.apply({ currencyId: BTC });
  expect(shopId(1)).toBe(next);
  expect(await early()).toBe('common.notFound');
  expect(await toKey(world.decide(next, true))).toBe('shop.opened');
});

test('the limit of a level in the shop’s coin follows the current price, rounded down [SHOP-004]', () => {
  const coin = (id: number) => SEED_CURRENCIES.find((row) => row.id === id)!;
  expect(world.catalog.dealLimit('verified', coin(USDT))).toBe(usdt('5000'));
  expect(world.catalog.dealLimit('advanced', coin(USDT))).toBe(usdt('50000'));
  expect(world.catalog.dealLimit('verified', coin(BTC))).toBe(usdt('0.1'));
  world.price = '30000';
  expect(world.catalog.dealLimit('verified', coin(BTC))).toBe(usdt('0.16666666'));
  world.price = null;
  expect(() => world.catalog.dealLimit('verified', coin(BTC))).toThrow(
    expect.objectContaining({ key: 'market.stale' }),
  );
});

describe('a deal on a shop’s ad', () => {
  const ad = { min: usdt('10'), max: usdt('600'), surplus: usdt('500'), scale: 8, fiatScale: 2, price: 650n } as Ad;
  const written = (text: string | undefined, field: string) =>
    text === undefined ? undefined : new WrittenAmount(text, field, {});
  const rules = (fields: { number?: string; money?: string }) =>
    toShopRules({ number: written(fields.number, 'number'), money: written(fields.money, 'money') });
  const refusal = (fields: { number?: string; money?: string }) =>
    toKey(Promise.resolve().then(() => (rules(fields).checkFields(), rules(fields).readNumber(ad))));

  test('takes a number, or the coins that the money buys; one of them is required [SHOP-005]', async () => {
    expect(rules({ number: '20' }).readNumber(ad)).toBe(usdt('20'));
    expect(rules({ money: '3250' }).readNumber(ad)).toBe(usdt('500'));
    expect(rules({ money: '100' }).readNumber(ad)).toBe(usdt('15.38461538'));
    expect(await refusal({})).toBe('legal.numberRequired');
    expect(await refusal({ number: '9.99999999' })).toBe('legal.belowMin');
    expect(await refusal({ number: '601' })).toBe('legal.aboveMax');
    expect(await refusal({ number: '501' })).toBe('legal.aboveSurplus');
    expect(await refusal({ number: '20.123456789' })).toBe('common.fieldInvalid');
    expect(await refusal({ money: '100.001' })).toBe('common.fieldInvalid');
  });

  test('reads its amount before the password is asked for and the ad is looked up [SHOP-033]', () => {
    for (const text of ['', '-1', '0', '1e3', '1.123456789'])
      expect(() => rules({ number: text }).checkFields()).toThrow(
        expect.objectContaining({ key: 'common.fieldInvalid', options: { field: 'number' } }),
      );
    for (const text of ['', '-1', '0', '100.001'])
      expect(() => rules({ money: text }).checkFields()).toThrow(
        expect.objectContaining({ key: 'common.fieldInvalid', options: { field: 'money' } }),
      );
    // With both the number counts.
    expect(() => rules({ number: '-1', money: '100' }).checkFields()).toThrow(
      expect.objectContaining({ options: { field: 'number' } }),
    );
    for (const fields of [{ number: '20' }, { money: '100.01' }, { number: '20', money: '-1' }])
      expect(() => rules(fields).checkFields()).not.toThrow();
  });

  test('never costs more than the given money [SHOP-005]', () => {
    fc.assert(
      fc.property(fc.bigInt(6_500n, 325_000n), fc.bigInt(1n, 100_000n), (money, price) => {
        const wide = { ...ad, price, min: 0n, max: 10n ** 30n, surplus: 10n ** 30n };
        const number = rules({ money: formatUnits(money, 2) }).readNumber(wide);
        expect(calculateMoney(wide, number)).toBeLessThanOrEqual(money);
      }),
    );
  });
});
