import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { formatUnits, toUnits } from '@bourse/money';
import {
  accountAfter,
  baseOf,
  chargeOf,
  closing,
  COIN_SCALE,
  feeOf,
  holdOf,
  liquidationPrice,
  marginRatio,
  maxContracts,
  openingCost,
  openingPrice,
  overnightFee,
  percent,
  profitsAt,
  quoteOf,
  transferable,
  walk,
  type Direction,
  type LeverScales,
  type PairScales,
} from './index.js';

interface Vectors {
  readonly spot: readonly (PairScales &
    Record<'price' | 'amount' | 'rate' | 'holdOfBuy' | 'holdOfSell' | 'proceeds' | 'feeOfBuy' | 'feeOfSell', string>)[];
  readonly walks: readonly (PairScales &
    Record<'amount' | 'cost' | 'taken' | 'worst', string> & { readonly levels: readonly [string, string][] })[];
  readonly withdrawals: readonly Record<'number' | 'rate' | 'fee' | 'received', string>[];
  readonly lever: readonly (LeverScales &
    Record<'base' | 'hand' | 'spread' | 'feeRate' | 'overnightRate' | 'balance' | 'mark' | 'price' | 'number', string> &
    Record<'contractValue' | 'caution' | 'fee' | 'balanceAfter' | 'profits' | 'hazardRate', string> &
    Record<'liquidationPrice' | 'transferable' | 'overnight' | 'closed' | 'shortfall', string> & {
      readonly direction: Direction;
      readonly share: number;
      readonly multiple: number;
      readonly maxShare: number;
    })[];
}
/**
 * Expected figures were counted with fractions by another program; services and the terminal are tested on the same.
 */
const VECTORS = JSON.parse(readFileSync(new URL('../vectors.json', import.meta.url), 'utf8')) as Vectors;

describe('formulas that server and screen both compute', () => {
  test.each(VECTORS.spot)('$amount at $price: hold, proceeds and fee [FORMULA-001]', (vector) => {
    const ticks = toUnits(vector.price, vector.priceScale);
    const lots = toUnits(vector.amount, vector.numberScale);
    const proceeds = quoteOf(vector, ticks, lots, 'down');
    const rate = percent(vector.rate);
    expect({
      holdOfBuy: formatUnits(holdOf(vector, 'buy', ticks, lots), vector.quoteScale),
      holdOfSell: formatUnits(holdOf(vector, 'sell', ticks, lots), vector.baseScale),
      proceeds: formatUnits(proceeds, vector.quoteScale),
      feeOfBuy: formatUnits(feeOf(baseOf(vector, lots), rate), vector.baseScale),
      feeOfSell: formatUnits(feeOf(proceeds, rate), vector.quoteScale),
    }).toEqual({
      holdOfBuy: vector.holdOfBuy,
      holdOfSell: vector.holdOfSell,
      proceeds: vector.proceeds,
      feeOfBuy: vector.feeOfBuy,
      feeOfSell: vector.feeOfSell,
    });
  });

  test.each(VECTORS.walks)(
    '$amount over levels: cost rounded once, the available quantity, the last price [FORMULA-002]',
    (vector) => {
      const levels = vector.levels.map(
        ([price, number]) => [toUnits(price, vector.priceScale), toUnits(number, vector.numberScale)] as const,
      );
      const { cost, taken, worst } = walk(vector, levels, toUnits(vector.amount, vector.numberScale));
      expect([
        formatUnits(cost, vector.quoteScale),
        formatUnits(taken, vector.numberScale),
        worst === 0n ? '' : formatUnits(worst, vector.priceScale),
      ]).toEqual([vector.cost, vector.taken, vector.worst]);
    },
  );

  test('a walk ends at the first price that may not be taken [FORMULA-002]', () => {
    const pair = { priceScale: 0, numberScale: 0, baseScale: 0, quoteScale: 0 };
    const levels = [
      [10n, 1n],
      [12n, 1n],
      [11n, 5n],
    ] as const;
    expect(walk(pair, levels, 3n, (ticks) => ticks <= 11n)).toEqual({ cost: 10n, taken: 1n, worst: 10n });
  });

  test.each(VECTORS.withdrawals)(
    'a withdrawal of $number at $rate %: fee up, the rest goes out [FORMULA-003]',
    (vector) => {
      const { fee, received } = chargeOf(toUnits(vector.number, COIN_SCALE), toUnits(vector.rate, 4), 4, {
        scale: COIN_SCALE,
        networkScale: COIN_SCALE,
      });
      expect([formatUnits(fee, COIN_SCALE), formatUnits(received, COIN_SCALE)]).toEqual([vector.fee, vector.received]);
    },
  );

  test.each(VECTORS.lever)('$direction $share contracts at $base, mark $mark [FORMULA-017]', (vector) => {
    const { direction } = vector;
    const money = (units: bigint): string => formatUnits(units, vector.quoteScale);
    const ticks = (text: string): bigint => toUnits(text, vector.priceScale);
    const mark = ticks(vector.mark);
    const price = openingPrice(direction, ticks(vector.base), percent(vector.spread));
    const contractLots = toUnits(vector.hand, vector.numberScale);
    const lots = contractLots * BigInt(vector.share);
    const cost = openingCost(vector, price, lots, BigInt(vector.multiple), percent(vector.feeRate));
    const offer = {
      scales: vector,
      direction,
      price,
      mark: ticks(vector.base),
      contractLots,
      leverage: BigInt(vector.multiple),
      feeRate: percent(vector.feeRate),
      openRate: percent('120'),
    };
    const before = { balance: toUnits(vector.balance, vector.quoteScale), margin: 0n, initialMargin: 0n, profits: 0n };
    const position = { direction, price, lots, margin: cost.margin };
    const profits = profitsAt(vector, position, mark);
    const account = { ...accountAfter(before, offer, BigInt(vector.share))!, profits };
    const closed = closing(account.balance, cost.margin, profits);
    const computed = {
      price: formatUnits(price, vector.priceScale),
      number: formatUnits(lots, vector.numberScale),
      contractValue: money(cost.contractValue),
      caution: money(cost.margin),
      fee: money(cost.fee),
      balanceAfter: money(account.balance),
      profits: money(profits),
      hazardRate: formatUnits(marginRatio(account), 2),
      liquidationPrice: formatUnits(
        liquidationPrice(vector, position, account, mark, percent('110')),
        vector.priceScale,
      ),
      maxShare: Number(maxContracts(before, offer, 0n)),
      transferable: money(transferable(account, percent('150'))),
      overnight: money(overnightFee(vector, position, percent(vector.overnightRate))),
      closed: money(closed.balance),
      shortfall: money(closed.shortfall),
    };
    for (const name of Object.keys(computed) as (keyof typeof computed)[])
      expect(`${name} ${computed[name]}`).toBe(`${name} ${vector[name]}`);
  });
});
