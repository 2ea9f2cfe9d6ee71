import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toUnits } from '@bourse/money';
import { applyRuling, newAppeal, withdrawAppeal, type Appeal } from '../src/appeals/domain/appeal.js';
import { createAd, publishAd } from '../src/deals/domain/ad.js';
import {
  acceptDeal,
  buyerOf,
  cancelDeal,
  checkAppealCount,
  confirmDeal,
  dealActions,
  decideDeal,
  expireDeal,
  openDeal,
  openDealAppeal,
  payDeal,
  proposeDecision,
  reopenDeal,
  sellerOf,
  withdrawDealAppeal,
  type Deal,
  type DealAction,
  type DealOutcome,
  type Side,
} from '../src/deals/domain/deal.js';

const HOUR_MS = 3_600_000;
const usdt = (text: string): bigint => toUnits(text, 8);

function dealOf(type: 'sell' | 'buy'): Deal {
  const ad = publishAd(
    createAd(7, {
      kind: 'c2c',
      type,
      ownerId: 1,
      ownerAccount: 'legal',
      ownerName: 'o',
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
      feeRate: 0n,
      limitMinutes: 60,
      createdAt: 0,
    }),
  );
  const taking = { takerName: 't', ownerLang: 'en', takerLang: 'en', fee: 0n, now: 0, facts: '' } as const;
  return acceptDeal(openDeal(ad, { id: '42', takerId: 2, number: usdt('40'), ...taking }));
}

/** A deal with the appeals that were opened on it, as the tables hold them. */
interface World {
  readonly deal: Deal;
  readonly appeals: readonly Appeal[];
  readonly now: number;
}
const openAppealOf = ({ appeals }: World): Appeal | undefined => appeals.find(({ state }) => state === 'open');
const replaceOpen = ({ appeals }: World, by: Appeal): readonly Appeal[] =>
  appeals.map((each) => (each.state === 'open' ? by : each));

/** The call of a side, with the checks of its use case; null: refused. */
function call(world: World, action: DealAction, side: Side): World | null {
  const { deal, appeals, now } = world;
  const userId = side === 'buyer' ? buyerOf(deal) : sellerOf(deal);
  const after = (outcome: DealOutcome): World | null =>
    typeof outcome === 'string' ? null : { ...world, deal: outcome };
  switch (action) {
    case 'pay':
      return after(payDeal(deal, userId, now, null));
    case 'cancel':
      return after(cancelDeal(deal, userId, now));
    case 'confirm':
      return after(confirmDeal(deal, userId, now));
    case 'appeal': {
      const opened = appeals.filter(({ openedBy }) => openedBy === side).length;
      const next = after(openDealAppeal(deal, side, now, now + HOUR_MS));
      if (checkAppealCount(opened) !== 'ok' || !next) return null;
      const reopened = deal.state === 'cancelled' ? reopenDeal(next.deal, now, false, null) : next.deal;
      return { ...next, deal: reopened, appeals: [...appeals, appealOf(world, side)] };
    }
    case 'appeal_cancel': {
      const open = openAppealOf(world);
      const withdrawn = open === undefined ? 'c2c.state' : withdrawAppeal(open, side, now);
      if (withdrawn === 'c2c.state') return null;
      return { ...world, deal: withdrawDealAppeal(deal, now), appeals: replaceOpen(world, withdrawn) };
    }
  }
}
const appealOf = ({ deal, appeals, now }: World, openedBy: Side | 'system'): Appeal =>
  newAppeal(
    {
      id: String(appeals.length),
      dealId: deal.id,
      openedBy,
      reason: '',
      openedAt: now,
      due: now + HOUR_MS,
      withEscrow: true,
    },
    'open',
  );

type Step =
  | { readonly do: DealAction; readonly side: Side }
  | { readonly do: 'wait'; readonly hours: number }
  | { readonly do: 'silence' }
  | { readonly do: 'rule'; readonly outcome: Side; readonly operatorId: number };

/** Everything else that changes a deal: time, a silent seller, operators. */
function happen(world: World, step: Exclude<Step, { readonly side: Side }>): World {
  const { deal, now } = world;
  if (step.do === 'wait') {
    const later = now + step.hours * HOUR_MS;
    return { ...world, now: later, deal: expireDeal(deal, later, later) ?? deal };
  }
  if (step.do === 'silence') {
    const opened = openDealAppeal(deal, 'system', now, now + HOUR_MS);
    if (typeof opened === 'string' || deal.state !== 'paid') return world;
    return { ...world, deal: opened, appeals: [...world.appeals, appealOf(world, 'system')] };
  }
  const open = openAppealOf(world);
  if (!open) return world;
  const { outcome, operatorId } = step;
  const isSecond = open.proposal !== null && open.proposal.operatorId !== operatorId;
  const ruling = applyRuling(open, { outcome, operatorId, words: '', needsTwo: true, isSecond, now });
  if (ruling.is === 'refused') return world;
  const appeals = replaceOpen(world, ruling.appeal);
  return { ...world, appeals, deal: ruling.is === 'proposed' ? proposeDecision(deal) : decideDeal(deal, outcome, now) };
}

const ACTIONS: readonly DealAction[] = ['pay', 'cancel', 'confirm', 'appeal', 'appeal_cancel'];
const side = fc.constantFrom<Side>('buyer', 'seller');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('appeal' as const, 'appeal_cancel' as const), side }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('pay' as const, 'cancel' as const, 'confirm' as const), side }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 0, max: 60 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('silence' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('rule' as const),
      outcome: side,
      operatorId: fc.integer({ min: 1, max: 2 }),
    }),
  },
);

/** What each side is offered must be what its calls accept. */
function expectOffered(world: World): void {
  for (const party of ['buyer', 'seller'] as const)
    expect(dealActions(world.deal, party, world.now)).toEqual(
      ACTIONS.filter((action) => call(world, action, party) !== null),
    );
}

test('each action that a deal offers to a side is accepted, and no other, in every state [C2C-046]', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('sell' as const, 'buy' as const),
      fc.boolean(),
      fc.array(step, { maxLength: 30 }),
      (type, isPaid, steps) => {
        let world: World = { deal: dealOf(type), appeals: [], now: 0 };
        if (isPaid) world = call(world, 'pay', 'buyer')!;
        expectOffered(world);
        for (const each of steps) {
          world = 'side' in each ? (call(world, each.do, each.side) ?? world) : happen(world, each);
          expectOffered(world);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a sixth appeal of a side and a withdrawal under a proposed decision are not offered [C2C-046]', () => {
  let world: World = { deal: dealOf('sell'), appeals: [], now: 0 };
  world = call(world, 'pay', 'buyer')!;
  for (let at = 0; at < 5; at += 1) world = call(call(world, 'appeal', 'buyer')!, 'appeal_cancel', 'buyer')!;
  expect(dealActions(world.deal, 'buyer', 0)).toEqual([]);
  world = call(world, 'appeal', 'seller')!;
  expect(dealActions(world.deal, 'seller', 0)).toEqual(['appeal_cancel']);
  world = happen(world, { do: 'rule', outcome: 'buyer', operatorId: 1 });
  expect(dealActions(world.deal, 'seller', 0)).toEqual([]);
  expectOffered(world);
});
