import { expect, test } from '@jest/globals';
import { Timers } from '@bourse/persistence';
import { MemoryDatabases, MemoryServer } from '@bourse/persistence/memory';
import type { Clock } from '@bourse/platform';
import { DealDeadlines, setDeadlines } from '../src/deals/application/deadlines.js';
import type { Escrow } from '../src/deals/application/escrow.js';
import type { DealEvents } from '../src/deals/application/events.js';
import { createAd, publishAd, takeFromAd, type AdTerms } from '../src/deals/domain/ad.js';
import { canAppealExpiry, expiryDay, openDeal, type Deal } from '../src/deals/domain/deal.js';
import { DEAL, SimulatedAds, SimulatedDeals } from '../src/simulation/deal-stores.js';

const [HOUR, DAY] = [3_600_000, 86_400_000];
const TERMS: AdTerms = {
  ...{ kind: 'c2c', type: 'sell', ownerId: 1, ownerAccount: 'legal', ownerName: 's', shopId: null, level: '' },
  ...{ currencyId: 3, currencyName: 'USDT', scale: 8, coinCode: 'CNY', fiatScale: 2, price: 650n, way: 'bank' },
  ...{ total: 100n, min: 0n, max: 100n, feeRate: 0n, limitMinutes: 15, createdAt: 0 },
};

test('a buyer can appeal for 48 hours after a cancel that an outage has delayed [C2C-035]', async () => {
  const server = new MemoryServer();
  const database = new MemoryDatabases(server).at('escrow');
  let now = 10 * DAY;
  const clock = { now: () => now, real: () => now } as unknown as Clock;
  const [ads, deals, timers] = [new SimulatedAds(database), new SimulatedDeals(database), new Timers(database, clock)];
  const dealEvents = { publishStep: () => Promise.resolve() } as unknown as DealEvents;
  new DealDeadlines(timers, ads, deals, {} as Escrow, dealEvents, clock);
  const shelf = publishAd(createAd(7, TERMS));
  const deal = openDeal(shelf, {
    ...{ id: '42', takerId: 2, takerName: 't', ownerLang: 'en', takerLang: 'en', number: 10n, fee: 0n, now, facts: '' },
  });
  await database.transaction(async (tx) => {
    await ads.insert(tx, takeFromAd(shelf, 10n).ad);
    await deals.insert(tx, deal);
    await deals.addOpenDeal(tx, 2);
    await setDeadlines(timers, tx, deal);
  });
  // The exchange is away for three days.
  now += 3 * DAY;
  await timers.runDue();
  const [gone] = server.rows<Deal>(DEAL);
  expect(gone).toMatchObject({ state: 'cancelled', cancelledBy: 'deadline', endedAt: deal.deadline, expiredAt: now });
  expect([canAppealExpiry(gone!, now + 48 * HOUR - 1), canAppealExpiry(gone!, now + 48 * HOUR)]).toEqual([true, false]);
  // The cancel itself counts on the day of the deadline.
  const day = expiryDay(deal);
  expect([await deals.countCancels(2, day), await deals.countCancels(2, day + 3)]).toEqual([1, 0]);
});
