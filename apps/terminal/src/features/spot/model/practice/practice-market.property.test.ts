import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import { BUY, SELL } from '@bourse/matching';
import { PracticeMarket } from './practice-market.js';
import { PracticeRefusal, type PracticeFields } from './practice-order.js';
import { DAY, START, TERMS } from './practice-samples.js';

interface Act {
  readonly after: number;
  readonly fields: PracticeFields | undefined;
}
const price = fc.integer({ min: 9_000, max: 11_000 });
const text = (ticks: number): string => (ticks / 100).toFixed(2);
const prints = fc
  .array(fc.record({ price, lots: fc.integer({ min: 1, max: 50_000 }), gap: fc.integer({ min: 1, max: 90_000 }) }), {
    minLength: 2,
    maxLength: 60,
  })
  .map((points) => {
    let at = DAY;
    return points.map(({ price: ticks, lots, gap }, index) => {
      at += index === 0 ? 0 : gap;
      return { at, price: ticks, lots, side: ticks % 2 === 0 ? BUY : SELL } satisfies PrintOf;
    });
  });
const fields: fc.Arbitrary<PracticeFields> = fc
  .record({
    type: fc.constantFrom(1 as const, 2 as const),
    order_type: fc.constantFrom(
      'limit' as const,
      'market' as const,
      'stop_limit' as const,
      'stop_market' as const,
      'oco' as const,
      'trailing_stop' as const,
    ),
    target: price,
    stop: price,
    lots: fc.integer({ min: 1, max: 400_000 }),
    flags: fc.constantFrom({}, { post_only: 1 as const }, { time_in_force: 'IOC' as const }),
    exits: fc.option(fc.tuple(price, price), { nil: undefined }),
  })
  .map(({ target, stop, lots, flags, exits, ...kind }) => ({
    ...kind,
    ...flags,
    target_price: text(target),
    stop_price: text(stop),
    trail_percent: '1',
    amount: (lots / 10_000).toFixed(4),
    ...(exits && { take_profit: text(exits[0]), stop_loss: text(exits[1]) }),
  }));
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({ after: fc.integer({ min: 0, max: 200_000 }), fields: fc.option(fields, { nil: undefined }) }),
  { maxLength: 25 },
);

/** Runs a day with acts between its prints; without fields an act cancels the newest open order. */
function run(day: readonly PrintOf[], list: readonly Act[], step: number): PracticeMarket {
  const practice = new PracticeMarket(TERMS, { start: DAY, prints: day, sources: { trades: 0, minutes: 0 } }, START);
  let at = DAY;
  const goTo = (time: number): void => {
    for (; at + step < time; at += step) practice.runTo(at);
    at = time;
    practice.runTo(time);
  };
  for (const { after, fields: order } of list) {
    goTo(at + after);
    try {
      if (order) practice.place(order);
      else if (practice.open[0]) practice.cancel(practice.open[0].id);
    } catch (error) {
      if (!(error instanceof PracticeRefusal)) throw error;
    }
    check(practice);
  }
  goTo(DAY + 7_200_000);
  check(practice);
  return practice;
}
type PrintOf = PracticeMarket['day']['prints'][number];

/** Nothing comes into being or is lost, and nothing is below zero. */
function check({ account }: PracticeMarket): void {
  for (const coin of ['quote', 'base'] as const) {
    const start = coin === 'quote' ? START : 0n;
    const sum = account.total(coin) + account.fees[coin] + account.market[coin];
    if (sum !== start) throw new Error(`${coin}: ${sum} instead of ${start}`);
    if (account.free[coin] < 0n || account.total(coin) < account.free[coin]) throw new Error(`${coin} below zero`);
  }
}

const written = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one));

describe('a day of practice', () => {
  test('[PRACTICE-006] conserves both coins up to the fees, and no balance falls below zero', () => {
    fc.assert(
      fc.property(prints, acts, (day, list) => {
        run(day, list, 7_200_000);
      }),
    );
  });

  test('[PRACTICE-007] has the same fills and the same curve however finely it is run', () => {
    fc.assert(
      fc.property(prints, acts, fc.integer({ min: 500, max: 60_000 }), (day, list, step) => {
        const [coarse, fine] = [run(day, list, 7_200_000), run(day, list, step)];
        const outcome = ({ fills, curve, account, open }: PracticeMarket): string =>
          written([fills, curve, account.free, account.fees, open]);
        if (outcome(coarse) !== outcome(fine)) throw new Error(`${outcome(coarse)}\n${outcome(fine)}`);
      }),
      { numRuns: 50 },
    );
  });
});
