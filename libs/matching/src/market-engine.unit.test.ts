import { describe, expect, test } from '@jest/globals';
import { formatUnits, toUnits } from '@bourse/money';
import { holdFor, type Amended, type AmendRefusal } from './amend.js';
import { BUY, CANCEL_NEWEST, CANCEL_OLDEST, FOK, GTC, IOC, SELL } from './book.js';
import { LadderBook } from './ladder-book.js';
import { baseOf, capOf, costOfWalking, floorOf, limitHold, lotsOf, quoteOf, ticksOf, type Market } from './market.js';
import { MarketEngine, type Listener, type MarketState, type Trade } from './market-engine.js';
import { newOrder, type Order, type OrderTerms } from './order.js';
import { pairHold } from './pair.js';
import { BTC_USDT, FRESH, sampleOrder, SILENT } from './samples.js';

const BTC: Market = { ...BTC_USDT, minTotal: toUnits('1', 8) };

/** The market built again from its open orders. */
function restored(engine: MarketEngine): MarketEngine {
  const again = new MarketEngine(engine.market, new LadderBook(), engine.state);
  again.restore([...engine.open.values()].map((order) => ({ ...order })).sort((a, b) => a.sequence - b.sequence));
  return again;
}

interface Bench {
  readonly engine: MarketEngine;
  readonly trades: Trade[];
  readonly ended: string[];
  readonly amends: Amended[];
  /** With all that it needs more held for it, if not told otherwise. */
  amend(order: Order, terms: { price?: number; quantity?: number; held?: bigint }): Order | AmendRefusal | null;
  place(terms: Partial<OrderTerms> & { price?: number; quantity: number }): Order;
  /** The legs of an OCO pair of one person, with the hold that both need if not told otherwise. */
  pair(terms: PairTerms): readonly [limit: Order, stop: Order];
  /** Limit leg, stop leg or `free`, and units of each move out of the hold of a pair. */
  readonly moves: string[];
  cancel(order: Order): Order | null;
}

type PairTerms = Partial<OrderTerms> & {
  readonly price: number;
  readonly stopPrice: number;
  readonly quantity: number;
  /** Limit price of the stop leg; absent: it runs as a market order. */
  readonly stopLimit?: number;
};

function bench(market: Market = BTC, state: MarketState = FRESH): Bench {
  const trades: Trade[] = [];
  const ended: string[] = [];
  const amends: Amended[] = [];
  const moves: string[] = [];
  const listener: Listener = {
    traded: (trade) => trades.push(trade),
    updated: () => undefined,
    amended: (amended) => amends.push(amended),
    holdMoved: (move) => moves.push(`${move.limit.id} ${move.stop?.id ?? 'free'} ${move.units}`),
    ended: (order) => ended.push(`${order.id} ${order.reason}`),
  };
  const engine = new MarketEngine(market, new LadderBook(), state);
  let next = 0;
  return {
    engine,
    trades,
    ended,
    amends,
    moves,
    pair({ stopLimit, stopPrice, ...terms }) {
      const [id, linkId] = [String(++next), String(++next)];
      const both = {
        clientOrderId: '',
        userId: next,
        pairId: 1,
        side: SELL,
        timeInForce: GTC,
        postOnly: false,
        selfTrade: CANCEL_NEWEST,
        makerFee: market.makerFee,
        takerFee: market.takerFee,
        placedAt: 1000,
        held: 0n,
        ...terms,
      } as const;
      const legs = [
        newOrder({ ...both, id, linkId, type: 'limit', stopPrice: 0 }),
        newOrder({
          ...both,
          id: linkId,
          linkId: id,
          type: stopLimit === undefined ? 'stop_market' : 'stop_limit',
          price: stopLimit ?? 0,
          stopPrice,
          held: 0n,
        }),
      ] as const;
      const held = terms.held ?? pairHold(market, ...legs);
      Object.assign(legs[0], { held, holdLeft: held });
      engine.placePair(...legs, 1000, listener);
      return legs;
    },
    amend(order, { price, quantity, held }) {
      const need = holdFor(market, order, price ?? order.price, (quantity ?? order.quantity) - order.filled);
      const more = need > order.holdLeft ? need - order.holdLeft : 0n;
      const terms = { id: `a${amends.length}`, price: price ?? null, quantity: quantity ?? null, held: held ?? more };
      return engine.amend(order.id, order.userId, terms, 0, listener);
    },
    place(terms) {
      const id = String(++next);
      const { makerFee, takerFee } = market;
      const full = {
        id,
        userId: next,
        price: 0,
        makerFee,
        takerFee,
        placedAt: 1000,
        ...terms,
        side: terms.side ?? BUY,
      };
      const held = terms.held ?? limitHold(market, full.side === BUY ? 'buy' : 'sell', full.price, full.quantity);
      const order = sampleOrder({ ...full, held });
      engine.place(order, 1000, listener);
      return order;
    },
    cancel: (order) => engine.cancel(order.id, order.userId, 'user', 2000, listener),
  };
}
const price = (text: string): number => ticksOf(BTC, text);
const amount = (text: string): number => lotsOf(BTC, text);
const usdt = (units: bigint): string => formatUnits(units, 8);

describe('the worked example of the rules, to the last digit [SPOT-101]', () => {
  const sellers = (b: Bench): readonly [Order, Order] => [
    b.place({ side: SELL, price: price('56637.56'), quantity: amount('0.2') }),
    b.place({ side: SELL, price: price('56690.00'), quantity: amount('0.3') }),
  ];

  test('a limit buy over two sellers', () => {
    const b = bench();
    const [, second] = sellers(b);
    const buy = b.place({ price: price('56700.00'), quantity: amount('0.5') });
    expect(usdt(buy.held)).toBe('28350.00000000');
    expect(b.trades.map((trade) => [usdt(trade.quote), usdt(trade.improvement)])).toEqual([
      ['11327.51200000', '12.48800000'],
      ['17007.00000000', '3.00000000'],
    ]);
    expect([
      usdt(buy.quoteFilled),
      usdt(buy.held - buy.quoteFilled),
      formatUnits(baseOf(BTC, buy.filled) - buy.fee, 8),
      usdt(buy.holdLeft),
    ]).toEqual(['28334.51200000', '15.48800000', '0.49950000', '0.00000000']);
    expect([usdt(second.quoteFilled - second.fee), second.holdLeft, second.status]).toEqual(['16989.99300000', 0n, 2]);
    expect(b.ended).toEqual(['1 ', '2 ', '3 ']);
  });

  test('the same as a market order', () => {
    const b = bench();
    sellers(b);
    const cap = capOf(BTC, b.engine.depth.bestAsk);
    expect([formatUnits(BigInt(cap), 2), usdt(limitHold(BTC, 'buy', cap, amount('0.5')))]).toEqual([
      '59469.43',
      '29734.71500000',
    ]);
    const buy = b.place({ type: 'market', price: cap, quantity: amount('0.5'), held: toUnits('29000', 8) });
    expect([usdt(buy.quoteFilled), usdt(buy.holdLeft), buy.status, buy.reason]).toEqual([
      '28334.51200000',
      '665.48800000',
      2,
      '',
    ]);
  });
});

describe('money of a fill', () => {
  test('the quote amount rounds down once, fees round up, and the buyer never pays beyond his hold [SPOT-102]', () => {
    const market: Market = { ...BTC, symbol: 'XRP/BTC', priceScale: 8, numberScale: 4 };
    const b = bench(market);
    const sell = b.place({ side: SELL, price: 2609, quantity: 15_003 });
    const buy = b.place({ price: 2610, quantity: 15_003 });
    const [trade] = b.trades;
    expect(trade).toMatchObject({ quote: 3914n, sellerFee: 4n, buyerFee: 150_030n, improvement: 1n });
    expect([buy.held, buy.holdLeft, sell.holdLeft]).toEqual([3916n, 1n, 0n]);
  });

  test('a market buy stops where its hold ends, and the rest of the hold stays free [SPOT-103]', () => {
    const b = bench();
    b.place({ side: SELL, price: price('50000.00'), quantity: amount('1') });
    const buy = b.place({
      type: 'market',
      price: price('52500.00'),
      quantity: amount('0.5'),
      held: toUnits('10000.03', 8),
    });
    expect([buy.filled, usdt(buy.quoteFilled), usdt(buy.holdLeft), buy.reason]).toEqual([
      200_000,
      '10000.00000000',
      '0.03000000',
      'market',
    ]);
  });

  test('cap and floor keep to the band, rounded to the safe side [SPOT-104]', () => {
    expect([capOf(BTC, price('56637.56')), floorOf(BTC, price('56637.51')), floorOf(BTC, 1)]).toEqual([
      5_946_943, 5_380_564, 1,
    ]);
    expect(
      costOfWalking(
        BTC,
        [
          [5_663_756, 200_000],
          [5_669_000, 300_000],
        ],
        500_000,
        5_946_943,
      ),
    ).toBe(toUnits('28334.512', 8));
    expect(
      costOfWalking(
        BTC,
        [
          [5_663_756, 200_000],
          [6_000_000, 300_000],
        ],
        500_000,
        5_946_943,
      ),
    ).toBe(toUnits('11327.512', 8));
    expect(quoteOf(BTC, 1, 1, 'up')).toBe(1n);
  });
});

describe('how orders end', () => {
  test('IOC, FOK, post-only, self-trade and market rests end with their reason [SPOT-105]', () => {
    const b = bench();
    b.place({ side: SELL, price: 100_000, quantity: 5, userId: 50 });
    expect(b.place({ price: 100_000, quantity: 6, timeInForce: FOK })).toMatchObject({
      status: 2,
      reason: 'fok',
      filled: 0,
    });
    expect(b.place({ price: 100_000, quantity: 6, postOnly: true })).toMatchObject({ status: 2, reason: 'post_only' });
    expect(b.place({ price: 100_000, quantity: 6, userId: 50 })).toMatchObject({ status: 2, reason: 'stp' });
    expect(b.place({ price: 100_000, quantity: 6, timeInForce: IOC })).toMatchObject({
      status: 2,
      reason: 'ioc',
      filled: 5,
    });
    expect(b.place({ type: 'market', price: 200_000, quantity: 6, held: 10n ** 12n })).toMatchObject({
      status: 2,
      reason: 'market',
      filled: 0,
    });
    const oldest = b.place({ side: SELL, price: 100_000, quantity: 5, userId: 60 });
    expect(b.place({ price: 100_000, quantity: 6, userId: 60, selfTrade: CANCEL_OLDEST })).toMatchObject({
      status: 1,
      filled: 0,
    });
    expect(oldest).toMatchObject({ status: 2, reason: 'stp' });
  });

  test('a cancel ends an open order of its owner once [SPOT-106]', () => {
    const b = bench();
    const order = b.place({ price: 100_000, quantity: 5 });
    expect(b.engine.cancel(order.id, 99, 'user', 0, SILENT)).toBeNull();
    expect(b.cancel(order)).toMatchObject({ status: 2, reason: 'user', holdLeft: order.held });
    expect(b.cancel(order)).toBeNull();
  });

  test('a market that is not open rejects new orders, and still cancels [SPOT-107]', () => {
    const b = bench();
    const resting = b.place({ price: 100_000, quantity: 5 });
    b.engine.setMode('cancel_only', 5);
    expect(b.place({ price: 100_000, quantity: 5 })).toMatchObject({ status: 2, reason: 'operator' });
    expect(b.cancel(resting)).toMatchObject({ reason: 'user' });
  });
});

describe('amends', () => {
  test('a smaller amount keeps the priority of an order, any other amend loses it [SPOT-233]', () => {
    const b = bench();
    const [first, second] = [b.place({ price: 100_000, quantity: 50 }), b.place({ price: 100_000, quantity: 50 })];
    const held = first.held;
    expect(b.amend(first, { quantity: 20 })).toBe(first);
    expect(b.amends[0]).toMatchObject({
      taken: 0n,
      given: held - first.held,
      before: { quantity: 50, price: 100_000 },
    });
    expect(first).toMatchObject({ quantity: 20, sequence: 1, holdLeft: first.held, held: (held * 2n) / 5n });
    b.place({ side: SELL, price: 100_000, quantity: 5 });
    expect([first.filled, second.filled]).toEqual([5, 0]);
    // Larger, and at another price and back: behind the other one.
    for (const terms of [{ quantity: 21 }, { price: 99_999 }, { price: 100_000 }])
      expect(b.amend(first, terms)).toBe(first);
    b.place({ side: SELL, price: 100_000, quantity: 5 });
    expect([first.filled, second.filled]).toEqual([5, 5]);
    expect(first.holdLeft).toBe(limitHold(BTC, 'buy', 100_000, 16));
  });

  test('a price across the spread trades at once, with the hold of the new price [SPOT-233]', () => {
    const b = bench();
    const sell = b.place({ side: SELL, price: 101_000, quantity: 30 });
    const buy = b.place({ price: 100_000, quantity: 50 });
    expect(b.amend(buy, { price: 102_000 })).toMatchObject({ status: 1, filled: 30, price: 102_000 });
    expect([sell.status, b.trades.length, b.trades[0]?.price]).toEqual([2, 1, 101_000]);
    expect(b.trades[0]?.improvement).toBe(quoteOf(BTC, 1_000, 30, 'down'));
    expect(buy.holdLeft).toBe(limitHold(BTC, 'buy', 102_000, 20));
  });

  test('a refused amend leaves the order as it is, and takes no number [SPOT-233]', () => {
    const b = bench();
    b.place({ side: SELL, price: 101_000, quantity: 3 });
    const order = b.place({ price: 101_000, quantity: 10, postOnly: false });
    const maker = b.place({ price: 100_000, quantity: 10, postOnly: true });
    b.place({ side: SELL, price: 102_000, quantity: 10 });
    const [before, { sequence }] = [{ ...order }, b.engine.state];
    expect(b.amend(order, { quantity: 3 })).toBe('filled');
    expect(b.amend(order, { quantity: 11, held: 1n })).toBe('hold');
    expect(b.amend(maker, { price: 102_000 })).toBe('post_only');
    expect(b.engine.amend(order.id, 99, { id: 'x', price: 1, quantity: null, held: 0n }, 0, SILENT)).toBeNull();
    expect([{ ...order }, b.engine.state.sequence, b.amends]).toEqual([before, sequence, []]);
    expect(b.amend(maker, { price: 101_999 })).toMatchObject({ status: 1, price: 101_999 });
    b.engine.setMode('cancel_only', 5);
    expect(b.amend(order, { quantity: 5 })).toBe('paused');
    b.cancel(order);
    expect(b.amend(order, { quantity: 5 })).toBeNull();
  });

  test('a waiting stop takes another limit and amount, and starts in its new order [SPOT-233]', () => {
    const b = bench();
    const stop = { type: 'stop_limit', stopPrice: 102_000, price: 103_000, quantity: 10 } as const;
    b.place({ side: SELL, price: 100_000, quantity: 1 });
    b.place({ price: 100_000, quantity: 1 });
    const [older, newer] = [b.place(stop), b.place(stop)];
    expect(b.amend(older, { quantity: 12, price: 102_500 })).toMatchObject({
      status: 1,
      quantity: 12,
      triggered: false,
    });
    expect(b.amend(newer, { quantity: 8 })).toMatchObject({ holdLeft: limitHold(BTC, 'buy', 103_000, 8) });
    b.place({ side: SELL, price: 102_000, quantity: 10 });
    b.place({ price: 102_000, quantity: 1 });
    expect([newer.filled, older.filled]).toEqual([8, 1]);
    expect(b.engine.hash()).toBe(restored(b.engine).hash());
  });
});

describe('stops', () => {
  const traded = (b: Bench, at: number): void => {
    b.place({ side: SELL, price: at, quantity: 1 });
    b.place({ price: at, quantity: 1 });
  };

  test('a stop waits outside the book and starts when the last price reaches it [SPOT-108]', () => {
    const b = bench();
    traded(b, 100_000);
    const stop = b.place({ type: 'stop_limit', stopPrice: 101_000, price: 102_000, quantity: 3 });
    expect(stop.status).toBe(1);
    expect(stop.triggered).toBe(false);
    expect(b.engine.depth.size).toBe(0);
    traded(b, 101_000);
    expect(stop.status).toBe(1);
    expect(stop.triggered).toBe(true);
    expect(b.engine.depth.bestBid).toBe(102_000);
  });

  test('stops that start in one move run oldest first, and may start others [SPOT-108]', () => {
    const b = bench();
    traded(b, 100_000);
    const held = 10n ** 12n;
    const second = b.place({ type: 'stop_limit', stopPrice: 103_000, price: 103_000, quantity: 1 });
    const first = b.place({ type: 'stop_market', stopPrice: 101_000, quantity: 1, held });
    b.place({ side: SELL, price: 103_000, quantity: 2 });
    b.place({ side: SELL, price: 101_000, quantity: 1 });
    b.place({ price: 101_000, quantity: 1 });
    expect([first.status, first.filled, second.status, second.filled]).toEqual([2, 1, 2, 1]);
    expect(b.trades.slice(-2).map((trade) => trade.taker.id)).toEqual([first.id, second.id]);
  });

  test('a stop_market without anybody on the other side ends as a market order does [SPOT-109]', () => {
    const b = bench();
    traded(b, 100_000);
    const stop = b.place({ side: SELL, type: 'stop_market', stopPrice: 99_000, quantity: 3, held: 300n });
    traded(b, 99_000);
    expect(stop.status).toBe(2);
    expect(stop.reason).toBe('market');
    expect(stop.triggered).toBe(true);
    expect(stop.holdLeft).toBe(300n);
  });

  test('a waiting stop can be cancelled, and then never starts [SPOT-106]', () => {
    const b = bench();
    traded(b, 100_000);
    const stop = b.place({ type: 'stop_limit', stopPrice: 101_000, price: 102_000, quantity: 3 });
    expect(b.cancel(stop)).toMatchObject({ status: 2, reason: 'user', triggered: false });
    traded(b, 101_000);
    expect(b.engine.depth.size).toBe(0);
  });
});

describe('accounts that are one owner [HARD-210]', () => {
  const [MAKER, TAKER, SOMEBODY] = [90, 91, 92];
  const meet = (b: Bench, first: number, second: number): string[] => {
    b.place({ userId: first, side: SELL, price: price('50000.00'), quantity: amount('0.1') });
    b.place({ userId: second, price: price('50000.00'), quantity: amount('0.1') });
    return b.ended;
  };

  test('never trade with one another, and no price comes of their meeting', () => {
    const b = bench({ ...BTC, oneOwner: new Set([MAKER, TAKER]) });
    expect(meet(b, MAKER, TAKER)).toEqual(['2 stp']);
    expect(b.trades).toEqual([]);
    expect(b.engine.state).toMatchObject({ tradeSequence: 0, lastPrice: 0 });
    expect(b.engine.open.size).toBe(1);
  });

  test('trade with everybody else, and with one another when they are not declared one owner', () => {
    const b = bench({ ...BTC, oneOwner: new Set([MAKER, TAKER]) });
    meet(b, MAKER, SOMEBODY);
    expect(b.trades).toHaveLength(1);
    const demo = bench();
    meet(demo, MAKER, TAKER);
    expect(demo.trades).toHaveLength(1);
  });

  test('are one again after a restart', () => {
    const market = { ...BTC, oneOwner: new Set([MAKER, TAKER]) };
    const before = bench(market);
    const resting = before.place({ userId: MAKER, side: SELL, price: price('50000.00'), quantity: amount('0.1') });
    const after = bench(market, before.engine.state);
    after.engine.restore([resting]);
    after.place({ userId: TAKER, price: price('50000.00'), quantity: amount('0.1') });
    expect(after.trades).toEqual([]);
  });
});

describe('an OCO pair', () => {
  /** The last price is 100.00. */
  const traded = (): Bench => {
    const market = bench();
    market.place({ price: price('100'), quantity: 1 });
    market.place({ side: SELL, price: price('100'), quantity: 1 });
    market.ended.length = 0;
    return market;
  };

  test('is ended by a part of its limit leg, which keeps the hold of its own [SPOT-240]', () => {
    const market = traded();
    const [limit, stop] = market.pair({
      side: BUY,
      price: price('90'),
      stopPrice: price('110'),
      stopLimit: price('120'),
      quantity: 1_000_000,
    });
    expect([limit.holdLeft, stop.holdLeft]).toEqual([toUnits('120', 8), 0n]);
    market.place({ side: SELL, price: price('90'), quantity: 400_000 });
    expect(market.ended).toEqual(['4 oco', '5 ']);
    expect(market.moves).toEqual([`3 free ${toUnits('30', 8)}`]);
    expect(limit).toMatchObject({ status: 1, filled: 400_000, held: toUnits('90', 8), holdLeft: toUnits('54', 8) });
    expect(stop).toMatchObject({ status: 2, reason: 'oco', filled: 0, holdLeft: 0n, triggered: false });
    // It is an order like any other now.
    expect(market.amend(limit, { quantity: 500_000 })).toBe(limit);
    market.place({ side: SELL, price: price('90'), quantity: 100_000 });
    expect(limit).toMatchObject({ status: 2, filled: 500_000, holdLeft: 0n });
  });

  test('is ended by the start of its stop leg, which takes the hold before it trades [SPOT-241]', () => {
    const market = traded();
    const [limit, stop] = market.pair({ price: price('110'), stopPrice: price('95'), quantity: 10 });
    market.place({ price: price('95'), quantity: 1 });
    market.place({ price: price('94'), quantity: 30 });
    market.place({ side: SELL, price: price('95'), quantity: 1 });
    expect(market.moves).toEqual([`3 4 ${baseOf(BTC, 10)}`]);
    expect(limit).toMatchObject({ status: 2, reason: 'oco', filled: 0, holdLeft: 0n });
    expect(stop).toMatchObject({ status: 2, reason: '', filled: 10, triggered: true, holdLeft: 0n });
    expect(market.ended.slice(-2)).toEqual(['3 oco', '4 ']);
    expect(market.engine.depth.bestAsk).toBe(0);
  });

  test.each([0, 1])('ends whole when its owner cancels leg %i [SPOT-242]', (at) => {
    const market = traded();
    const legs = market.pair({ price: price('110'), stopPrice: price('95'), quantity: 10 });
    const leg = legs[at] as Order;
    expect(market.cancel(leg)).toBe(leg);
    expect(market.ended).toEqual([`${leg.id} user`, `${legs[1 - at]?.id} oco`]);
    expect([legs[0].holdLeft, legs[1].holdLeft]).toEqual([baseOf(BTC, 10), 0n]);
    expect(market.engine.open.size).toBe(0);
    expect(market.cancel(legs[1 - at] as Order)).toBeNull();
    // Neither leg trades afterwards.
    market.place({ price: price('110'), quantity: 1 });
    market.place({ side: SELL, price: price('95'), quantity: 1 });
    expect(legs.map(({ filled }) => filled)).toEqual([0, 0]);
  });

  test('refuses an amend of either leg while it is whole [SPOT-243]', () => {
    const market = traded();
    const legs = market.pair({ price: price('110'), stopPrice: price('95'), quantity: 10 });
    for (const leg of legs) expect(market.amend(leg, { quantity: 5 })).toBe('linked');
    expect(legs.map(({ quantity }) => quantity)).toEqual([10, 10]);
  });

  test('whose limit leg trades with a stop that the same price starts does not start its own [SPOT-240]', () => {
    const market = bench();
    const seller = market.place({
      type: 'stop_limit',
      side: SELL,
      stopPrice: price('110'),
      price: price('98'),
      quantity: 10,
    });
    const [limit, stop] = market.pair({ side: BUY, price: price('98'), stopPrice: price('90'), quantity: 10 });
    const other = market.pair({ side: BUY, price: price('97'), stopPrice: price('120'), quantity: 10 });
    // The first price of the market reaches the stops of both sides.
    market.place({ price: price('100'), quantity: 1 });
    market.place({ side: SELL, price: price('100'), quantity: 1 });
    expect([seller.filled, limit.filled]).toEqual([10, 10]);
    expect(stop).toMatchObject({ status: 2, reason: 'oco', triggered: false, filled: 0 });
    expect(other.map(({ status }) => status)).toEqual([1, 1]);
  });

  test('ends whole at its arrival in a market that is not open, or with less than its hold [SPOT-244]', () => {
    const market = traded();
    const poor = market.pair({ price: price('110'), stopPrice: price('95'), quantity: 10, held: 1n });
    expect(poor.map(({ reason, status }) => [reason, status])).toEqual([
      ['balance', 2],
      ['balance', 2],
    ]);
    market.engine.setMode('cancel_only', 1000);
    const late = market.pair({ price: price('110'), stopPrice: price('95'), quantity: 10 });
    expect(late.map(({ reason }) => reason)).toEqual(['operator', 'operator']);
    expect([market.engine.open.size, late[0].holdLeft]).toEqual([0, baseOf(BTC, 10)]);
  });

  test('starts at once when the last price has passed its stop, also after a restart [SPOT-241]', () => {
    const market = traded();
    const passed = market.pair({ price: price('110'), stopPrice: price('101'), quantity: 10 });
    expect(passed.map(({ reason, triggered }) => [reason, triggered])).toEqual([
      ['oco', false],
      ['market', true],
    ]);
    const [limit, stop] = market.pair({ price: price('110'), stopPrice: price('95'), quantity: 10 });
    const again = restored(market.engine);
    again.place(
      newOrder({ ...limit, id: '99', linkId: '', userId: 99, side: BUY, quantity: 4, held: toUnits('1', 8) }),
      2000,
      SILENT,
    );
    expect(again.open.get(limit.id)?.filled).toBe(4);
    expect(again.open.has(stop.id)).toBe(false);
  });

  test('an exit that holds less than it needs ends at its arrival [SPOT-244]', () => {
    const market = traded();
    const exit = market.place({ side: SELL, parentId: '7', price: price('110'), quantity: 10, held: 9n });
    expect(exit).toMatchObject({ status: 2, reason: 'balance', holdLeft: 9n });
  });
});
