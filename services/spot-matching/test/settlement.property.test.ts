import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Leg } from '@bourse/events';
import { toUnits } from '@bourse/money';
import { releaseOf, settlementOf } from '../src/application/settlement.js';
import { baseOf, feeOf, limitHold, percent, quoteOf, type Trade, type Order } from '@bourse/matching';
import { sampleOrder, XRP_USDT } from '@bourse/matching/samples';

const order = (id: string, userId: number): Order => sampleOrder({ id, userId, price: 1 });

/** Any fill of a limit order: price, quantity, the buyer's limit above it, and two rates. */
const trades = fc
  .record({
    price: fc.integer({ min: 1, max: 3_000_000 }),
    above: fc.integer({ min: 0, max: 5_000 }),
    quantity: fc.integer({ min: 1, max: 10_000_000 }),
    rates: fc.tuple(fc.constantFrom('0', '0.1', '0.15', '3'), fc.constantFrom('0', '0.1', '0.15', '3')),
    users: fc.uniqueArray(fc.integer({ min: 100_001, max: 100_040 }), { minLength: 2, maxLength: 2 }),
  })
  .map(({ price, above, quantity, rates: [buys, sells], users: [buyerId = 0, sellerId = 0] }): Trade => {
    const [buyer, seller] = [order('1', buyerId), order('2', sellerId)];
    const quote = quoteOf(XRP_USDT, price, quantity, 'down');
    return {
      sequence: 7,
      price,
      quantity,
      quote,
      maker: buyer,
      taker: seller,
      buyer,
      seller,
      buyerFee: feeOf(baseOf(XRP_USDT, quantity), percent(buys)),
      sellerFee: feeOf(quote, percent(sells)),
      improvement: limitHold(XRP_USDT, 'buy', price + above, quantity) - quote,
      at: 0,
    };
  });
const units = ({ amount }: Leg): bigint => (typeof amount === 'string' ? toUnits(amount, 8) : 0n);

test.each([1, 3])(
  "each side is credited gross and pays its own fee of it, never the other side's, with %i partitions [SPOT-029]",
  (partitions) => {
    fc.assert(
      fc.property(trades, (trade) => {
        const journals = settlementOf(XRP_USDT, trade, partitions).map(
          ({ message }) => (message.body as { journals: readonly { readonly legs: readonly Leg[] }[] }).journals[0]!,
        );
        const legs = journals.flatMap((journal) => journal.legs);
        const sides = [
          {
            account: `${trade.buyer.userId}.change`,
            currency: XRP_USDT.baseId,
            fee: trade.buyerFee,
            gross: baseOf(XRP_USDT, trade.quantity),
          },
          {
            account: `${trade.seller.userId}.change`,
            currency: XRP_USDT.quoteId,
            fee: trade.sellerFee,
            gross: trade.quote,
          },
        ];
        for (const { account, currency, fee, gross } of sides) {
          const fees = legs.filter((leg) => leg.fee === true && leg.from === account);
          expect(fees.map((leg) => [leg.to, leg.currency, units(leg)])).toEqual(
            fee === 0n ? [] : [['h.fees', currency, fee]],
          );
          const credited = legs.filter((leg) => leg.to === account && leg.currency === currency);
          expect(credited.reduce((sum, leg) => sum + units(leg), 0n)).toBe(gross);
        }
        // No other line is a fee, and within its journal each fee comes after what it is taken from.
        expect(legs.filter(({ fee }) => fee === true)).toHaveLength(sides.filter(({ fee }) => fee > 0n).length);
        for (const { legs: ofJournal } of journals)
          for (const [place, leg] of ofJournal.entries())
            if (leg.fee === true)
              expect(
                ofJournal.slice(0, place).some(({ to, currency }) => to === leg.from && currency === leg.currency),
              ).toBe(true);
      }),
    );
  },
);

test('a release names the amount that is left of the hold, and there is none when nothing is left [LEDGER-057]', () => {
  const ended = order('7', 300_001);
  ended.holdLeft = toUnits('1.25', 8);
  const journals = releaseOf(XRP_USDT, ended, 1).flatMap(
    ({ message }) => (message.body as { journals: { legs: Leg[] }[] }).journals,
  );
  expect(journals.flatMap(({ legs }) => legs.map(({ amount }) => amount))).toEqual(['1.25000000']);
  ended.holdLeft = 0n;
  expect(releaseOf(XRP_USDT, ended, 1)).toEqual([]);
});
