import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import { keyOf, post } from './client.js';
import * as room from './deal-room.js';
import { createMerchants, done, FUND } from './people.js';

/* A deal that runs out is a cancel, and an appeal after it leaves nothing behind when it is taken back (attack M4). */
jest.setTimeout(testTimeoutMs(90_000));

let [owner, buyer, other] = ['', '', ''];
let restore: () => Promise<void>;
beforeAll(async () => {
  const people = await createMerchants(3, { legal: { [room.USDT]: '5000' } });
  [owner, buyer, other] = people.map(({ token }) => token) as [string, string, string];
  restore = await room.setting('c2c_cancels_a_day', '2');
});
afterAll(() => restore());

const takes = async (token: string, id: number): Promise<string | undefined> =>
  keyOf(post('/api/c2c/do_legal_deal', { id, number: '10', password: FUND }, { token }));

test('deals that run out count as cancels, until an appeal is decided for the buyer [HARD-433]', async () => {
  const first = await room.expiredDeal(owner, buyer);
  const second = await room.expiredDeal(owner, buyer);
  expect(await takes(buyer, second.ad)).toBe('c2c.blocked');
  // Decided for the buyer: the deadline of that deal was no cancel.
  await done(room.appeal(buyer, second.id));
  const { id } = await room.appealOf(buyer, second.id);
  await done(room.decide(id, 'buyer'));
  expect(await room.dealOf(buyer, second.id)).toMatchObject({ is_sure: 1, appeal: 2 });
  const taken = await room.taken(buyer, first.ad);
  await done(room.cancel(buyer, taken));
  expect(await takes(buyer, first.ad)).toBe('c2c.blocked');
  for (const { ad } of [first, second]) await room.offShelf(owner, ad);
  expect(await findFailingChecks()).toEqual([]);
});

test('a late appeal that its opener takes back is a cancelled deal again, with its coins free [HARD-434]', async () => {
  const before = await room.legal(owner);
  const { ad, id } = await room.expiredDeal(owner, other);
  for (let round = 0; round < 2; round++) {
    await done(room.appeal(other, id));
    expect(await room.dealOf(other, id)).toMatchObject({ is_sure: 3, appeal: 1 });
    await done(room.takeBack(other, id));
    const deal = await room.dealOf(other, id);
    expect([deal.is_sure, deal.appeal, deal.can]).toEqual([2, 0, ['appeal']]);
    expect((await room.dealOf(owner, id)).can).toEqual([]);
  }
  // Nothing is under way on the ad: its owner gets all of it back.
  await room.offShelf(owner, ad);
  expect(await room.changed(owner, before)).toEqual([0n, 0n]);
  // The ad is gone: the coins of the seller are held beside it, and are free again.
  await done(room.appeal(other, id));
  expect(await room.changed(owner, before)).toEqual([-1_001_000_000n, 1_001_000_000n]);
  await done(room.takeBack(other, id));
  await eventuallySatisfied(
    () => room.changed(owner, before),
    ([free, held]) => free === 0n && held === 0n,
  );
  expect(await findFailingChecks()).toEqual([]);
});
