import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatUnits, toUnits } from '@bourse/money';
import {
  accountAfter,
  closing,
  equityOf,
  marginRatio,
  isLiquidated,
  liquidationPrice,
  maxContracts,
  openingCost,
  openingPrice,
  overnightFee,
  payOvernight,
  percent,
  profitsAt,
  ratePasses,
  stopFault,
  transferable,
  type Direction,
  type LeverAccount,
  type LeverOffer,
  type LeverScales,
} from './index.js';

const BTC: LeverScales = { priceScale: 2, numberScale: 6, quoteScale: 8 };
const usdt = (text: string): bigint => toUnits(text, 8);
const price = (text: string): bigint => toUnits(text, 2);
const money = (units: bigint): string => formatUnits(units, 8);
const NOTHING: LeverAccount = { balance: usdt('1000'), margin: 0n, initialMargin: 0n, profits: 0n };
const OFFER: LeverOffer = {
  scales: BTC,
  direction: 'long',
  price: price('60060.00'),
  mark: price('60000.00'),
  contractLots: toUnits('0.01', 6),
  leverage: 20n,
  feeRate: percent('0.05'),
  openRate: percent('120'),
};

describe('the worked example of rules §3, to the last digit [FORMULA-010]', () => {
  const opened = accountAfter(NOTHING, OFFER, 10n)!;
  const position = {
    direction: 'long' as Direction,
    price: OFFER.price,
    lots: toUnits('0.1', 6),
    margin: usdt('300.3'),
  };
  const at = (mark: string): LeverAccount => ({ ...opened, profits: profitsAt(BTC, position, price(mark)) });

  test('the spread moves the price against the opener', () => {
    expect(openingPrice('long', price('60000'), percent('0.1'))).toBe(price('60060.00'));
    expect(openingPrice('short', price('60000'), percent('0.1'))).toBe(price('59940.00'));
  });
  test('contract value, margin and fee', () => {
    const cost = openingCost(BTC, OFFER.price, position.lots, 20n, OFFER.feeRate);
    expect(money(cost.contractValue)).toBe('6006.00000000');
    expect(money(cost.margin)).toBe('300.30000000');
    expect(money(cost.fee)).toBe('3.00300000');
    expect(money(opened.balance)).toBe('696.69700000');
  });
  test('the rate at once, and at 61,000', () => {
    expect(formatUnits(marginRatio(opened), 2)).toBe('330.00');
    expect(money(profitsAt(BTC, position, price('61000')))).toBe('94.00000000');
    expect(formatUnits(marginRatio(at('61000')), 2)).toBe('363.30');
  });
  test('the liquidation price, and the rate there', () => {
    const tick = liquidationPrice(BTC, position, opened, OFFER.mark, percent('110'));
    expect(formatUnits(tick, 2)).toBe('53393.33');
    expect(formatUnits(marginRatio(at('53393.33')), 2)).toBe('110.00');
    expect(money(profitsAt(BTC, position, tick))).toBe('-666.66700000');
    expect(isLiquidated(at('53393.33'), percent('110'))).toBe(true);
    expect(isLiquidated(at('53393.34'), percent('110'))).toBe(false);
  });
  test('a liquidation price below nothing is nothing [FORMULA-018]', () => {
    const rich = { ...opened, balance: opened.balance + usdt('100000') };
    expect(liquidationPrice(BTC, position, rich, OFFER.mark, percent('110'))).toBe(0n);
  });
  test('27 contracts open, 28 do not', () => {
    expect(maxContracts(NOTHING, OFFER, 1000n)).toBe(27n);
    expect(formatUnits(marginRatio(accountAfter(NOTHING, OFFER, 27n)!), 2)).toBe('120.34');
    expect(formatUnits(marginRatio(accountAfter(NOTHING, OFFER, 28n)!), 2)).toBe('115.93');
    expect(maxContracts(NOTHING, OFFER, 5n)).toBe(5n);
    expect(maxContracts(NOTHING, OFFER, 0n)).toBe(27n);
  });
  test('the overnight fee', () => {
    expect(money(overnightFee(BTC, position, percent('0.001')))).toBe('0.06006000');
  });
  test('closing at 61,000, and over a gap to 50,000', () => {
    const closed = (mark: string) => closing(opened.balance, position.margin, profitsAt(BTC, position, price(mark)));
    expect(money(closed('61000').balance)).toBe('1090.99700000');
    expect(closed('61000').shortfall).toBe(0n);
    expect(money(profitsAt(BTC, position, price('50000')))).toBe('-1006.00000000');
    expect(closed('50000').balance).toBe(0n);
    expect(money(closed('50000').shortfall)).toBe('9.00300000');
  });
});

test('an overnight fee takes the margin first, then the balance, and stops at nothing [FORMULA-011]', () => {
  expect(payOvernight(5n, 10n, 10n)).toEqual({ fromMargin: 5n, fromBalance: 0n });
  expect(payOvernight(15n, 10n, 10n)).toEqual({ fromMargin: 10n, fromBalance: 5n });
  expect(payOvernight(50n, 10n, 10n)).toEqual({ fromMargin: 10n, fromBalance: 10n });
});

test('stops are allowed on their side and before the liquidation price [FORMULA-012]', () => {
  const long = { price: 100n, mark: 110n, liquidation: 80n };
  expect(stopFault('long', long, { target: 111n, stop: 99n })).toBeNull();
  expect(stopFault('long', long, { target: 110n, stop: 0n })).toBe('side');
  expect(stopFault('long', long, { target: 0n, stop: 100n })).toBe('side');
  expect(stopFault('long', long, { target: 0n, stop: 80n })).toBe('beyond_liquidation');
  const short = { price: 100n, mark: 90n, liquidation: 120n };
  expect(stopFault('short', short, { target: 89n, stop: 101n })).toBeNull();
  expect(stopFault('short', short, { target: 90n, stop: 0n })).toBe('side');
  expect(stopFault('short', short, { target: 0n, stop: 100n })).toBe('side');
  expect(stopFault('short', short, { target: 0n, stop: 120n })).toBe('beyond_liquidation');
});

describe('for any pair, account and price', () => {
  const scales = fc.constantFrom<LeverScales>(
    BTC,
    { priceScale: 2, numberScale: 4, quoteScale: 8 },
    { priceScale: 5, numberScale: 4, quoteScale: 8 },
  );
  const direction = fc.constantFrom<Direction>('long', 'short');
  const ticks = fc.bigInt({ min: 1n, max: 10n ** 9n });
  const lots = fc.bigInt({ min: 1n, max: 10n ** 9n });
  const units = fc.bigInt({ min: 0n, max: 10n ** 16n });
  /** Open positions only: without a margin nothing can be won or lost. */
  const margins = fc.bigInt({ min: 1n, max: 10n ** 16n });
  const LIQUIDATION_RATE = percent('110');

  test('the liquidation price is the first tick at which the account is liquidated [FORMULA-013]', () => {
    fc.assert(
      fc.property(
        scales,
        direction,
        ticks,
        ticks,
        lots,
        units,
        units,
        (pair, side, opened, mark, count, spare, own) => {
          const position = { direction: side, price: opened, lots: count, margin: own + 1n };
          const at = (tick: bigint): LeverAccount => ({
            balance: spare,
            margin: own + 1n,
            initialMargin: own + 1n,
            profits: profitsAt(pair, position, tick),
          });
          const tick = liquidationPrice(pair, position, at(mark), mark, LIQUIDATION_RATE);
          const towards = side === 'long' ? 1n : -1n;
          // A tick nearer to the market is safe but for the unit that profits are rounded by.
          const nearer = tick + towards * 2n;
          if (tick > 0n) {
            expect(isLiquidated(at(tick), LIQUIDATION_RATE)).toBe(true);
            expect(isLiquidated({ ...at(nearer), balance: spare + 2n }, LIQUIDATION_RATE)).toBe(false);
          } else
            expect(isLiquidated({ ...at(1n), balance: spare + 2n }, LIQUIDATION_RATE) && side === 'long').toBe(false);
        },
      ),
    );
  });

  test('the transferable amount leaves the rate, and a unit more does not [FORMULA-014]', () => {
    const rate = percent('150');
    fc.assert(
      fc.property(units, margins, fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }), (balance, margin, profits) => {
        const account = { balance, margin, initialMargin: margin, profits };
        const most = transferable(account, rate);
        const left = (taken: bigint): LeverAccount => ({ ...account, balance: balance - taken });
        expect(most).toBeGreaterThanOrEqual(0n);
        expect(most).toBeLessThanOrEqual(balance);
        if (most > 0n) expect(ratePasses(left(most), rate)).toBe(true);
        if (most < balance) expect(ratePasses(left(most + 1n), rate)).toBe(false);
      }),
    );
  });

  test('money moved from balance to a margin changes no ratio and no liquidation price [FORMULA-019]', () => {
    fc.assert(
      fc.property(
        scales,
        direction,
        ticks,
        ticks,
        lots,
        units,
        margins,
        units,
        (pair, side, opened, mark, count, balance, margin, others) => {
          const position = { direction: side, price: opened, lots: count, margin };
          const before: LeverAccount = {
            balance: balance + others,
            margin: margin + others,
            initialMargin: margin + others,
            profits: profitsAt(pair, position, mark),
          };
          const after = { ...before, balance: balance, margin: before.margin + others };
          const added = { ...position, margin: margin + others };
          expect(equityOf(after)).toBe(equityOf(before));
          expect(marginRatio(after)).toBe(marginRatio(before));
          expect(isLiquidated(after, LIQUIDATION_RATE)).toBe(isLiquidated(before, LIQUIDATION_RATE));
          expect(liquidationPrice(pair, added, after, mark, LIQUIDATION_RATE)).toBe(
            liquidationPrice(pair, position, before, mark, LIQUIDATION_RATE),
          );
          const rate = percent('150');
          expect(transferable(after, rate)).toBeLessThanOrEqual(transferable(before, rate));
        },
      ),
    );
  });

  test('a long and a short of the same number cancel out, except for rounding [FORMULA-015]', () => {
    fc.assert(
      fc.property(scales, ticks, ticks, lots, (pair, opened, mark, count) => {
        const of = (side: Direction): bigint => profitsAt(pair, { direction: side, price: opened, lots: count }, mark);
        const sum = of('long') + of('short');
        expect(sum).toBeLessThanOrEqual(0n);
        expect(sum).toBeGreaterThanOrEqual(-1n);
      }),
    );
  });

  test('closing pays the loss of the user to the house, and the fund the loss beyond the balance [FORMULA-016]', () => {
    fc.assert(
      fc.property(units, units, fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), (balance, margin, profits) => {
        const { balance: after, shortfall } = closing(balance, margin, profits);
        expect(after).toBeGreaterThanOrEqual(0n);
        expect(after - shortfall).toBe(balance + margin + profits);
        expect(after === 0n || shortfall === 0n).toBe(true);
      }),
    );
  });
});
