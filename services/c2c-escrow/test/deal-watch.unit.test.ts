import { expect, test } from '@jest/globals';
import { createAd, publishAd, type Ad, type AdTerms } from '../src/deals/domain/ad.js';
import { openDeal, type Deal } from '../src/deals/domain/deal.js';
import { findAdProblems } from '../src/simulation/deal-watch.js';

const TERMS: AdTerms = {
  ...{ kind: 'c2c', type: 'sell', ownerId: 1, ownerAccount: 'legal', ownerName: 's', shopId: null, level: '' },
  ...{ currencyId: 3, currencyName: 'USDT', scale: 8, coinCode: 'CNY', fiatScale: 2, price: 650n, way: 'bank' },
  ...{ total: 10n, min: 0n, max: 10n, feeRate: 0n, limitMinutes: 15, createdAt: 0 },
};
const shelf = publishAd(createAd(7, TERMS));
const taken = openDeal(shelf, {
  ...{ id: '42', takerId: 2, takerName: 't', ownerLang: 'en', takerLang: 'en' },
  ...{ number: 10n, fee: 0n, now: 0, facts: '' },
});
const finished: Deal = { ...taken, state: 'finished' };
const sold: Ad = { ...shelf, state: 'sold', surplus: 0n, finished: 10n };
const SAYS = 'I3 ad 7: is sold out, with coins on offer or deals under way';

test('the simulator reports a sold-out ad with deals under way or a surplus, like the auditor [C2C-005]', () => {
  const reopened: Deal = { ...taken, id: '43', state: 'paid', inAd: false };
  expect(findAdProblems(sold, [finished])).toEqual([]);
  expect(findAdProblems({ ...sold, open: 1 }, [finished, reopened])).toEqual([SAYS]);
  expect(findAdProblems({ ...sold, state: 'shelf', open: 1 }, [finished, reopened])).toEqual([]);
  expect(findAdProblems({ ...sold, surplus: 4n, finished: 6n }, [{ ...finished, number: 6n }])).toEqual([SAYS]);
});
