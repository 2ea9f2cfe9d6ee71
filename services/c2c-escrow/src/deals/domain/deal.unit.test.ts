import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { percent } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import {
  dealBounds,
  cancelDealInAd,
  createAd,
  calculateFee,
  finishDealInAd,
  surplusHold,
  calculateMoney,
  reopenDealInAd,
  reopenOutsideAd,
  publishAd,
  takeFromAd,
  withdrawAd,
  type Ad,
  type AdTerms,
  type DealShare,
} from './ad.js';
import {
  acceptDeal,
  checkAppealCount,
  dealActions,
  withdrawDealAppeal,
  openDealAppeal,
  cancelDeal,
  confirmDeal,
  decideDeal,
  expireDeal,
  expiryAppealUntil,
  EXPIRED_APPEAL_WINDOW_MS,
  dealHoldAmount,
  dealHoldName,
  expiryDay,
  hasExpired,
  isReopened,
  isUnfinished,
  openDeal,
  payDeal,
  reopenDeal,
  sideOf,
  type Deal,
} from './deal.js';

const usdt = (text: string): bigint => toUnits(text, 8);
const OWNER = 1;
const TAKER = 2;
const terms = (change: Partial<AdTerms> = {}): AdTerms => ({
  kind: 'c2c',
  type: 'sell',
  ownerId: OWNER,
  ownerAccount: 'legal',
  ownerName: 's***@demo',
  shopId: null,
  level: '',
  currencyId: 3,
  currencyName: 'USDT',
  scale: 8,
  coinCode: 'CNY',
  fiatScale: 2,
  price: 650n,
  way: 'bank',
  total: usdt('100'),
  min: 0n,
  max: usdt('100'),
  feeRate: percent('0.1'),
  limitMinutes: 60,
  createdAt: 0,
  ...change,
});
const shelf = (change: Partial<AdTerms> = {}): Ad => publishAd(createAd(7, terms(change)));
const dealOf = (ad: Ad, number: bigint, fee: bigint): Deal =>
  openDeal(ad, {
    id: '42',
    takerId: TAKER,
    takerName: 't',
    ownerLang: 'en',
    takerLang: 'en',
    number,
    fee,
    now: 0,
    facts: '',
  });
const MINUTE = 60_000;

describe('the worked example of rules §6 [C2C-001]', () => {
  const ad = shelf();
  const { ad: after, fee } = takeFromAd(ad, usdt('40'));
  const deal = dealOf(ad, usdt('40'), fee);

  test('100 USDT at 6.50: held 100.10; 40 taken: 260.00 CNY, fee 0.04, surplus 60', () => {
    expect(surplusHold(ad)).toBe(usdt('100.10'));
    expect([deal.money, deal.fee, after.surplus]).toEqual([26_000n, usdt('0.04'), usdt('60')]);
    expect(surplusHold(after) + dealHoldAmount(deal)).toBe(usdt('100.10'));
  });
  test('release of the deal and withdrawal of the rest return 60.06', () => {
    const end = withdrawAd(finishDealInAd(after, deal), true);
    expect(end).toMatchObject({ back: usdt('60.06'), ad: { state: 'off', surplus: 0n, finished: usdt('40') } });
  });
  test('a buy ad holds no coins; its taker holds number and fee under the deal', () => {
    const buy = shelf({ type: 'buy' });
    const took = takeFromAd(buy, usdt('40'));
    const waiting = dealOf(buy, usdt('40'), took.fee);
    expect([surplusHold({ ...buy, surplus: 0n }), buy.surplusFee]).toEqual([0n, 0n]);
    expect([dealHoldAmount(waiting), dealHoldName(waiting), dealHoldName(deal)]).toEqual([
      usdt('40.04'),
      'deal:42',
      'ad:7',
    ]);
    expect([waiting.state, deal.state]).toEqual(['waiting', 'unpaid']);
    expect([sideOf(waiting, TAKER), sideOf(acceptDeal(waiting), TAKER), sideOf(acceptDeal(waiting), OWNER)]).toEqual([
      null,
      'seller',
      'buyer',
    ]);
  });
});

test('fiat is rounded to two decimals half up, yen to none [C2C-002]', () => {
  const money = (number: string, price: bigint, fiatScale: number): bigint =>
    calculateMoney({ scale: 8, price, fiatScale }, usdt(number));
  expect(money('0.5', 1n, 2)).toBe(1n);
  expect(money('0.49999999', 1n, 2)).toBe(0n);
  expect(money('1.1', 15_050n, 0)).toBe(166n);
  expect(money('1', 15_050n, 0)).toBe(151n);
});

describe('transitions by actor and time [C2C-003]', () => {
  const ad = shelf();
  const unpaid = dealOf(ad, usdt('40'), usdt('0.04'));
  const settled = payDeal(unpaid, TAKER, MINUTE, 'proof.png') as Deal;

  test('the coin buyer pays or cancels once, before the deadline', () => {
    expect(settled).toMatchObject({ state: 'paid', paidAt: MINUTE, proof: 'proof.png' });
    expect(payDeal(unpaid, OWNER, MINUTE, null)).toBe('common.notFound');
    expect(payDeal(unpaid, 3, MINUTE, null)).toBe('common.notFound');
    expect(payDeal(unpaid, TAKER, 60 * MINUTE, null)).toBe('c2c.state');
    expect(payDeal(settled, TAKER, MINUTE, null)).toBe('c2c.state');
    expect(cancelDeal(unpaid, TAKER, MINUTE)).toMatchObject({ state: 'cancelled', cancelledBy: 'buyer' });
    expect(cancelDeal(settled, TAKER, MINUTE)).toBe('c2c.state');
    expect(cancelDeal(unpaid, OWNER, MINUTE)).toBe('common.notFound');
    expect(cancelDeal(unpaid, TAKER, 60 * MINUTE)).toBe('c2c.state');
  });
  test('the system cancels an unpaid deal at its deadline, never a paid one', () => {
    expect(expireDeal(unpaid, 60 * MINUTE - 1, 0)).toBeNull();
    expect(expireDeal(unpaid, 60 * MINUTE, 60 * MINUTE)).toMatchObject({ state: 'cancelled', cancelledBy: 'deadline' });
    expect(expireDeal(settled, 600 * MINUTE, 0)).toBeNull();
  });
  test('the coin seller confirms a paid deal unless an appeal is open', () => {
    expect(confirmDeal(settled, OWNER, MINUTE)).toMatchObject({ state: 'finished', endedAt: MINUTE });
    expect(confirmDeal(settled, TAKER, MINUTE)).toBe('common.notFound');
    expect(confirmDeal(unpaid, OWNER, MINUTE)).toBe('c2c.state');
    expect(confirmDeal(openDealAppeal(settled, 'buyer', MINUTE, 0) as Deal, OWNER, MINUTE)).toBe('c2c.appealOpen');
  });
  test('either side appeals against a paid deal, the buyer for 48 hours after a cancel by deadline', () => {
    const late = expireDeal(unpaid, 60 * MINUTE, 60 * MINUTE)!;
    const ended = 60 * MINUTE;
    expect(openDealAppeal(settled, 'seller', MINUTE, 9)).toMatchObject({
      appeal: 'open',
      appealBy: 'seller',
      decisionDue: 9,
    });
    expect(openDealAppeal(unpaid, 'buyer', MINUTE, 9)).toBe('c2c.appealWindow');
    expect(openDealAppeal(late, 'buyer', ended + EXPIRED_APPEAL_WINDOW_MS - 1, 9)).toMatchObject({ appeal: 'open' });
    expect(openDealAppeal(late, 'buyer', ended + EXPIRED_APPEAL_WINDOW_MS, 9)).toBe('c2c.appealWindow');
    expect(openDealAppeal(late, 'seller', ended, 9)).toBe('c2c.appealWindow');
    expect(openDealAppeal(cancelDeal(unpaid, TAKER, 1) as Deal, 'buyer', 2, 9)).toBe('c2c.appealWindow');
  });
  test('the time to appeal begins when the cancel is decided, which an outage delays [C2C-035]', () => {
    const [deadline, decided] = [60 * MINUTE, 60 * MINUTE + 2 * EXPIRED_APPEAL_WINDOW_MS];
    const gone = expireDeal(unpaid, deadline, decided)!;
    expect(gone).toMatchObject({ endedAt: deadline, expiredAt: decided });
    expect(openDealAppeal(gone, 'buyer', decided + EXPIRED_APPEAL_WINDOW_MS, 9)).toBe('c2c.appealWindow');
    const appealed = openDealAppeal(gone, 'buyer', decided + EXPIRED_APPEAL_WINDOW_MS - 1, 9) as Deal;
    expect(appealed).toMatchObject({ appeal: 'open' });
    // A withdrawn appeal changes nothing of that time.
    const back = withdrawDealAppeal(reopenDeal(appealed, decided + 1, false, null), decided + 2);
    expect(back).toEqual({ ...gone, inAd: false, appealsBy: { buyer: 1, seller: 0 } });
    // A clock behind the deadline takes nothing away, nor does a deal of a release before.
    expect(expireDeal(unpaid, deadline, 0)).toMatchObject({ expiredAt: deadline });
    expect(expiryAppealUntil({ ...gone, expiredAt: null })).toBe(deadline + EXPIRED_APPEAL_WINDOW_MS);
  });
  test('a decision ends a paid deal and leaves a record without escrow unchanged', () => {
    const open = openDealAppeal(settled, 'buyer', MINUTE, 9) as Deal;
    expect(decideDeal(open, 'buyer', 5)).toMatchObject({ state: 'finished', appeal: 'buyer', decisionDue: null });
    expect(decideDeal(open, 'seller', 5)).toMatchObject({
      state: 'cancelled',
      appeal: 'seller',
      cancelledBy: 'decision',
    });
    const record = openDealAppeal(expireDeal(unpaid, 60 * MINUTE, 60 * MINUTE)!, 'buyer', 61 * MINUTE, 9) as Deal;
    expect(decideDeal(record, 'buyer', 5)).toMatchObject({
      state: 'cancelled',
      appeal: 'buyer',
      cancelledBy: 'deadline',
    });
  });
  test('a withdrawn appeal gives the seller of a paid deal the full time to answer again', () => {
    expect(settled.silentSince).toBe(MINUTE);
    const open = openDealAppeal(settled, 'buyer', 2 * MINUTE, 9) as Deal;
    expect(withdrawDealAppeal(open, 5 * MINUTE)).toMatchObject({ appeal: 'none', silentSince: 5 * MINUTE });
    const record = openDealAppeal(expireDeal(unpaid, 60 * MINUTE, 60 * MINUTE)!, 'buyer', 61 * MINUTE, 9) as Deal;
    expect(withdrawDealAppeal(record, 62 * MINUTE)).toMatchObject({ state: 'cancelled', silentSince: null });
  });
  test('a withdrawn late appeal leaves the deal cancelled by its deadline [HARD-434]', () => {
    const gone = expireDeal(unpaid, 60 * MINUTE, 60 * MINUTE)!;
    const late = openDealAppeal(gone, 'buyer', 61 * MINUTE, 9) as Deal;
    const again = reopenDeal(late, 61 * MINUTE, false, null);
    expect([isReopened(settled), isReopened(gone), isReopened(again)]).toEqual([false, false, true]);
    const back = withdrawDealAppeal(again, 70 * MINUTE);
    expect(back).toEqual({ ...gone, inAd: false, appealsBy: { buyer: 1, seller: 0 } });
    // The time to appeal counts from the deadline, and the seller has nothing to answer.
    expect(openDealAppeal(back, 'buyer', 60 * MINUTE + EXPIRED_APPEAL_WINDOW_MS, 9)).toBe('c2c.appealWindow');
  });
  test('a cancel by deadline counts on its day, and a later appeal can remove the count [HARD-433]', () => {
    const gone = expireDeal({ ...unpaid, deadline: 2 * 86_400_000 + 1 }, 3 * 86_400_000, 0)!;
    expect(expiryDay(gone)).toBe(2);
    const late = openDealAppeal(gone, 'buyer', 3 * 86_400_000, 9) as Deal;
    expect([gone, late, reopenDeal(late, 3 * 86_400_000, true, null)].map(hasExpired)).toEqual([true, true, true]);
    const byBuyer = cancelDeal(unpaid, TAKER, 1) as Deal;
    expect([unpaid, settled, byBuyer].map(hasExpired)).toEqual([false, false, false]);
  });
  test('a side opens up to five appeals on a deal [APPEAL-009]', () => {
    const verdicts = [0, 1, 4, 5, 6].map(checkAppealCount);
    expect(verdicts).toEqual(['ok', 'ok', 'ok', 'c2c.appealWindow', 'c2c.appealWindow']);
    const used = { ...settled, appealsBy: { buyer: 5, seller: 4 } };
    expect(openDealAppeal(used, 'buyer', MINUTE, 0)).toBe('c2c.appealWindow');
    expect(openDealAppeal(used, 'seller', MINUTE, 0)).toMatchObject({ appealsBy: { buyer: 5, seller: 5 } });
    // An appeal of the system counts for neither side.
    expect(openDealAppeal(used, 'system', MINUTE, 0)).toMatchObject({ appeal: 'open', appealsBy: used.appealsBy });
  });
  test('the listed actions of a side are the allowed ones', () => {
    expect(dealActions(unpaid, 'buyer', MINUTE)).toEqual(['pay', 'cancel']);
    expect(dealActions(unpaid, 'seller', MINUTE)).toEqual([]);
    expect(dealActions(settled, 'seller', MINUTE)).toEqual(['confirm', 'appeal']);
    expect(dealActions(settled, 'buyer', MINUTE)).toEqual(['appeal']);
    expect(dealActions(openDealAppeal(settled, 'buyer', MINUTE, 0) as Deal, 'buyer', MINUTE)).toEqual([
      'appeal_cancel',
    ]);
    expect(dealActions(openDealAppeal(settled, 'buyer', MINUTE, 0) as Deal, 'seller', MINUTE)).toEqual([]);
    expect(dealActions(expireDeal(unpaid, 60 * MINUTE, 60 * MINUTE)!, 'buyer', 61 * MINUTE)).toEqual(['appeal']);
  });
});

/** Withdrawn by its owner only without deals under way; a later cancel goes back to the holder. */
test('an owner withdraws an ad without deals, an operator any ad, and its deals continue [C2C-004]', () => {
  const took = takeFromAd(shelf(), usdt('40'));
  const deal = dealOf(shelf(), usdt('40'), took.fee);
  expect(withdrawAd(took.ad, true)).toBe('c2c.hasDeals');
  const off = withdrawAd(took.ad, false);
  if (typeof off === 'string') throw new Error(off);
  expect(off).toMatchObject({ back: usdt('60.06'), ad: { state: 'off', open: 1, returned: usdt('60') } });
  expect(withdrawAd(off.ad, false)).toBe('c2c.state');
  expect(cancelDealInAd(off.ad, deal)).toMatchObject({ goesBack: true, ad: { open: 0, returned: usdt('100') } });
  expect(cancelDealInAd(took.ad, deal)).toMatchObject({ goesBack: false, ad: { surplus: usdt('100') } });
  expect(dealBounds(took.ad)).toEqual({ min: 0n, max: usdt('60') });
  const rest = takeFromAd({ ...shelf(), min: usdt('10'), max: usdt('96') }, usdt('96')).ad;
  expect(dealBounds(rest)).toEqual({ min: usdt('4'), max: usdt('4') });
});

test('an ad is sold out without surplus, deals under way and reopened deals [C2C-005]', () => {
  const { ad, fee } = takeFromAd(shelf(), usdt('100'));
  expect([ad.state, ad.surplusFee, fee]).toEqual(['shelf', 0n, usdt('0.1')]);
  const sold = finishDealInAd(ad, dealOf(shelf(), usdt('100'), fee));
  expect(sold.state).toBe('sold');
  const share: DealShare = { number: usdt('1'), fee: 0n, inAd: false };
  // Without surplus the coins are the seller's, whether the ad or the ledger says so first.
  for (const again of [reopenDealInAd(sold, share.number).ad, reopenOutsideAd(sold)]) {
    expect([again.state, again.surplus, again.open]).toEqual(['shelf', 0n, 1]);
    expect(cancelDealInAd(again, share).ad).toEqual(sold);
    expect(finishDealInAd(again, share)).toEqual(sold);
  }
  const off = { ...sold, state: 'off' } as const;
  expect(reopenOutsideAd(off)).toEqual({ ...off, open: 1 });
});

/** Steps of an ad and its deals; the number selects the deal or the amount. */
type Step = readonly ['take' | 'cancel' | 'finish' | 'reopen' | 'reopenOutside', number];
const steps = fc.array(
  fc.tuple(fc.constantFrom('take', 'cancel', 'finish', 'reopen', 'reopenOutside'), fc.nat(1_000_000_000)),
  { maxLength: 40 },
) as fc.Arbitrary<Step[]>;

/** One ad with its deals, the coins held at publishing, and the coins that went back to the owner. */
interface World {
  ad: Ad;
  readonly running: DealShare[];
  readonly gone: DealShare[];
  readonly finished: DealShare[];
  back: bigint;
}
function apply(world: World, [what, seed]: Step): void {
  if (what === 'take' && world.ad.state === 'shelf' && world.ad.surplus > 0n) {
    const number = seed % 4 === 0 ? world.ad.surplus : (BigInt(seed) % world.ad.surplus) + 1n;
    const { ad, fee } = takeFromAd(world.ad, number);
    world.ad = ad;
    world.running.push({ number, fee, inAd: true });
  }
  if (what === 'reopen' && world.gone.length > 0) {
    const [deal] = world.gone.splice(seed % world.gone.length, 1);
    const { ad, fee } = reopenDealInAd(world.ad, deal!.number);
    world.ad = ad;
    world.running.push({ ...deal!, inAd: fee !== null, fee: fee ?? deal!.fee });
  }
  if (what === 'reopenOutside' && world.gone.length > 0) {
    // The ledger answers late: whatever the ad offers now, the coins are the seller's.
    const [deal] = world.gone.splice(seed % world.gone.length, 1);
    world.ad = reopenOutsideAd(world.ad);
    world.running.push({ ...deal!, inAd: false });
  }
  if ((what === 'cancel' || what === 'finish') && world.running.length > 0) {
    const [deal] = world.running.splice(seed % world.running.length, 1);
    if (what === 'finish') {
      world.ad = finishDealInAd(world.ad, deal!);
      world.finished.push(deal!);
    } else {
      const { ad, goesBack } = cancelDealInAd(world.ad, deal!);
      world.ad = ad;
      if (goesBack && deal!.inAd) world.back += deal!.number + deal!.fee;
      world.gone.push(deal!);
    }
  }
}
const sum = (shares: readonly DealShare[], of: (share: DealShare) => bigint): bigint =>
  shares.filter(({ inAd }) => inAd).reduce((total, share) => total + of(share), 0n);

/** The coins held at publishing are conserved to the last digit, with their fees. */
test('a sell ad always holds exactly its surplus and its deals [C2C-006]', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 12n), fc.bigInt(0n, 10_000_000n), steps, fc.nat(40), (total, rate, all, off) => {
      const world: World = {
        ad: shelf({ total, max: total, feeRate: rate }),
        running: [],
        gone: [],
        finished: [],
        back: 0n,
      };
      all.forEach((step, at) => {
        apply(world, step);
        const left = at === off ? withdrawAd(world.ad, false) : 'c2c.state';
        if (typeof left !== 'string') {
          world.ad = left.ad;
          world.back += left.back;
        }
        const { ad, running, finished, back } = world;
        const whole = ({ number, fee }: DealShare): bigint => number + fee;
        expect(surplusHold(ad) + sum(running, whole) + sum(finished, whole) + back).toBe(
          total + calculateFee(total, rate),
        );
        expect(ad.surplus + sum(running, ({ number }) => number) + ad.finished + ad.returned).toBe(total);
        expect(ad.open).toBe(running.length);
        expect(ad.surplusFee >= 0n && (ad.surplus > 0n || ad.surplusFee === 0n)).toBe(true);
        expect(ad.state === 'sold').toBe(ad.state !== 'off' && ad.surplus === 0n && ad.open === 0);
        for (const deal of running) expect(deal.fee >= 0n).toBe(true);
      });
    }),
  );
});

test('the fees of all deals are the fee of their rounded sum [HARD-440]', () => {
  let ad = shelf({ total: usdt('1'), max: usdt('1') });
  const fees = ['0.33333333', '0.33333333', '0.33333333', '0.00000001'].map((number) => {
    const took = takeFromAd(ad, usdt(number));
    ad = took.ad;
    return took.fee;
  });
  expect(fees).toEqual([33_334n, 33_333n, 33_333n, 0n]);
  const number = fc.bigInt(1n, 10n ** 9n);
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 20 }), fc.bigInt(0n, 10_000_000n), (numbers, rate) => {
      const total = numbers.reduce((sum, each) => sum + each, 0n);
      let rest = shelf({ total, max: total, feeRate: rate });
      for (const each of numbers) {
        const took = takeFromAd(rest, each);
        rest = took.ad;
        const own = calculateFee(each, rate);
        expect(took.fee === own || took.fee === own - 1n).toBe(true);
      }
      expect(rest.surplusFee).toBe(0n);
    }),
  );
});

/** Commands of both parties, of deadlines and of operators in any order: one end, and each transition was legal. */
test('a deal has one end, and neither time nor its buyer ends a paid deal [C2C-007]', () => {
  const acts = fc.array(
    fc.tuple(
      fc.constantFrom('pay', 'cancel', 'expire', 'confirm', 'appeal', 'decide', 'reopen'),
      fc.nat(2),
      fc.nat(70),
    ),
    { maxLength: 25 },
  );
  fc.assert(
    fc.property(acts, (all) => {
      let deal = dealOf(shelf(), usdt('40'), usdt('0.04'));
      let now = 0;
      for (const [what, who, minutes] of all) {
        now += minutes * MINUTE;
        const before = deal;
        const next = step(before, what, who + 1, now);
        if (next) deal = next;
        if (before.state === 'finished') expect(deal.state).toBe('finished');
        if (before.state === 'paid' && deal.state === 'cancelled') expect(deal.cancelledBy).toBe('decision');
        if (before.state === 'paid' && deal.state === 'finished' && before.appeal !== 'open')
          expect([what, who + 1]).toEqual(['confirm', OWNER]);
        if (before.state === 'unpaid') expect(deal.state).not.toBe('finished');
        if (before.state === 'cancelled' && isUnfinished(deal)) expect(before.cancelledBy).toBe('deadline');
      }
    }),
  );
});
function step(deal: Deal, what: string, user: number, now: number): Deal | null {
  const side = sideOf(deal, user);
  const outcome =
    what === 'pay'
      ? payDeal(deal, user, now, null)
      : what === 'cancel'
        ? cancelDeal(deal, user, now)
        : what === 'confirm'
          ? confirmDeal(deal, user, now)
          : what === 'appeal' && side
            ? openDealAppeal(deal, side, now, now)
            : what === 'decide' && deal.appeal === 'open' && side
              ? decideDeal(deal, side, now)
              : what === 'reopen' && deal.appeal === 'open' && deal.cancelledBy === 'deadline'
                ? reopenDeal(deal, now, false, null)
                : expireDeal(deal, now, now);
  return typeof outcome === 'string' ? null : outcome;
}
