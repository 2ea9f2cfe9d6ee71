import { describe, expect, test } from '@jest/globals';
import {
  SpotAdoptV1,
  SpotAmendV1,
  SpotCancelV1,
  SpotModeV1,
  SpotMoveV1,
  SpotPlaceByMarkV1,
  SpotPlaceV1,
  SpotTriggerV1,
  type Message,
  type SpotPlace,
  type SpotTrigger,
} from '@bourse/events';
import { formatTrimmed, toUnits } from '@bourse/money';
import { LadderBook, type Market, MarketEngine, newOrder, ticksOf, type Order } from '@bourse/matching';
import { FROM_ZERO, replayBook, type AmendMark, type LoggedCommand } from './book-replay.js';
import { amendTermsOf, placeTermsOf } from './order-messages.js';
import { passedOn } from './passed-on.js';

const market: Market = {
  symbol: 'BTC/USDT',
  pairId: 1,
  baseId: 1,
  baseName: 'BTC',
  baseScale: 8,
  quoteId: 3,
  quoteName: 'USDT',
  quoteScale: 8,
  priceScale: 2,
  numberScale: 6,
  minTotal: 0n,
  makerFee: 100_000n,
  takerFee: 200_000n,
  band: 5_000_000n,
  oneOwner: new Set(),
};
const NOTHING = (): undefined => undefined;
const SILENT = { traded: NOTHING, updated: NOTHING, amended: NOTHING, holdMoved: NOTHING, ended: NOTHING };
const place = (orderId: string, side: 'buy' | 'sell', price: string, acceptedAt: number): Message => {
  const body = {
    orderId,
    clientOrderId: '',
    userId: Number(orderId),
    pairId: 1,
    symbol: market.symbol,
    side,
    orderType: 'limit' as const,
    timeInForce: 'GTC' as const,
    postOnly: false,
    selfTrade: 'cancel_newest' as const,
    price,
    quantity: '0.010000',
    stopPrice: null,
    placedAt: acceptedAt,
  };
  // 0.01 of a coin, or its cost: two decimals more than the price has.
  const held = side === 'sell' ? '0.01' : formatTrimmed(toUnits(price, market.priceScale), market.priceScale + 2);
  return SpotPlaceV1.encode(body, { held, acceptedAt });
};
const cancel = (orderId: string, acceptedAt: number): Message =>
  SpotCancelV1.encode(
    { orderId, userId: Number(orderId), symbol: market.symbol, commandId: `c${orderId}`, requestedAt: acceptedAt },
    { acceptedAt },
  );
const mode = (to: 'normal' | 'cancel_only', acceptedAt: number): Message =>
  SpotModeV1.encode({ symbol: market.symbol, mode: to, requestedAt: 0 }, { acceptedAt });
const move = (to: number, acceptedAt: number): Message =>
  SpotMoveV1.encode({ symbol: market.symbol, to, requestedAt: 0 }, { acceptedAt });

const amend = (orderId: string, price: string, held: string, acceptedAt: number): Message => {
  const body = {
    amendId: `9${orderId}${acceptedAt}`,
    orderId,
    userId: Number(orderId),
    symbol: market.symbol,
    price,
    quantity: null,
    currency: market.quoteId,
    commandId: `a${orderId}`,
    requestedAt: acceptedAt,
  };
  return SpotAmendV1.encode(body, { held, acceptedAt });
};

/** Runs commands in an order and returns the expected rows. */
function run(...commands: readonly Message[]): {
  engine: MarketEngine;
  marks: { orders: Map<string, Order>; amends: AmendMark[] };
} {
  const engine = new MarketEngine(market, new LadderBook(), FROM_ZERO.state);
  const orders = new Map<string, Order>();
  const amends: AmendMark[] = [];
  const marks = { orders, amends };
  for (const { type, body, context } of commands) {
    const at = context?.acceptedAt ?? 0;
    if (type === SpotPlaceV1.name || type === SpotPlaceByMarkV1.name) {
      const order = newOrder(placeTermsOf(market, body as never, context?.held ?? '', market).terms);
      orders.set(order.id, order);
      engine.place(order, at, SILENT);
    } else if (type === SpotCancelV1.name) {
      const { orderId, userId } = body as { orderId: string; userId: number };
      engine.cancel(orderId, userId, 'user', at, SILENT);
    } else if (type === SpotAmendV1.name) {
      const terms = amendTermsOf(market, body as never, context?.held);
      const { orderId, userId } = body as { orderId: string; userId: number };
      engine.amend(orderId, userId, terms, at, {
        ...SILENT,
        amended: ({ amend: { id }, sequence, before }) =>
          amends.push({ id, orderId, sequence, sequenceBefore: before.sequence }),
      });
    } else if (type === SpotTriggerV1.name) {
      const { orderId, userId, mark } = body as SpotTrigger;
      engine.trigger(orderId, userId, ticksOf(market, mark), at, SILENT);
    } else engine.setMode((body as { mode: 'normal' }).mode, at);
  }
  return { engine, marks };
}
const log = (streams: Readonly<Record<string, readonly Message[]>>): LoggedCommand[] =>
  Object.entries(streams).flatMap(([stream, messages]) =>
    messages.map((message, index) => ({ stream, number: index + 1, message })),
  );

describe('a replay of a pair that was moved between partitions [SPOT-223]', () => {
  const [first, late, direct, onBack] = [
    place('1', 'sell', '50000.00', 1),
    place('2', 'sell', '50001.00', 2),
    place('3', 'buy', '50001.00', 3),
    place('4', 'sell', '50003.00', 6),
  ];
  const [ended, stopped, opened] = [cancel('2', 4), mode('cancel_only', 5), mode('normal', 5)];
  const adopt = SpotAdoptV1.encode({ symbol: market.symbol });

  test('executes a command that was passed on where it ran, there and back', () => {
    // Moved from 0 to 1 and back: late commands were passed on, some of them twice.
    const { engine, marks } = run(first, direct, stopped, opened, onBack, late, ended);
    const once = [late, ended].map(passedOn);
    const result = replayBook(
      market,
      () => new LadderBook(),
      log({
        'ledger.0>spot.commands/0': [first, move(1, 2), late, ended, onBack],
        'ledger.1>spot.commands/0': [stopped, opened],
        'ledger.1>spot.commands/1': [direct, move(0, 5)],
        'spot.0>spot.commands/1': [adopt, passedOn(stopped), passedOn(opened), ...once],
        'spot.1>spot.commands/0': [adopt, ...once.map(passedOn)],
      }),
      marks,
      { sequence: engine.state.sequence, hash: engine.hash() },
    );
    expect(result).toMatchObject({
      stuck: null,
      hash: engine.hash(),
      bookHash: engine.bookHash(),
      tradeSequence: engine.state.tradeSequence,
    });
  });

  test('fails for an order whose last copy is missing', () => {
    const { engine, marks } = run(first, late);
    const end = { sequence: engine.state.sequence, hash: engine.hash() };
    const streams = { 'ledger.0>spot.commands/0': [first, move(1, 2)], 'spot.0>spot.commands/1': [adopt] };
    expect(replayBook(market, () => new LadderBook(), log(streams), marks, end).stuck).toContain('order 2');
  });
});

test('accepted amends have their numbers, refused ones none [SPOT-232]', () => {
  const commands = [
    place('1', 'buy', '50000.00', 1),
    place('2', 'buy', '50000.00', 2),
    // Behind order 2, then up and into a trade, and one that its hold does not cover.
    amend('1', '49999.00', '0', 3),
    amend('1', '50000.00', '0.01', 4),
    amend('2', '60000.00', '0', 5),
    place('3', 'sell', '50000.00', 6),
    amend('1', '50001.00', '0.01', 7),
    cancel('1', 8),
  ];
  const { engine, marks } = run(...commands);
  expect(marks.amends).toHaveLength(3);
  const replayed = replayBook(market, () => new LadderBook(), log({ 'ledger.0>spot.commands/0': commands }), marks, {
    sequence: engine.state.sequence,
    hash: engine.hash(),
  });
  expect(replayed).toMatchObject({ stuck: null, hash: engine.hash(), tradeSequence: engine.state.tradeSequence });
});

test('a stop that the mark has started has the number of its trigger, amended around it or not [SPOT-291]', () => {
  const byMark = (orderId: string, stopPrice: string, acceptedAt: number): Message =>
    SpotPlaceByMarkV1.encode(
      {
        ...(place(orderId, 'buy', '50000.00', acceptedAt).body as SpotPlace),
        ...({ orderType: 'stop_limit', triggerBy: 'mark' } as const),
        ...{ stopPrice, takeProfit: null, stopLoss: null },
      },
      { held: '500.00', acceptedAt },
    );
  const trigger = (orderId: string, mark: string, acceptedAt: number): Message =>
    SpotTriggerV1.encode(
      { orderId, userId: Number(orderId), symbol: market.symbol, mark, markAt: acceptedAt },
      { acceptedAt },
    );
  const commands = [
    byMark('1', '50100.00', 1),
    byMark('2', '50200.00', 2),
    byMark('3', '50300.00', 3),
    byMark('4', '50300.00', 3),
    amend('2', '49000.00', '0', 4),
    // One that does not reach it, one while the market is not open, and then the one that starts it.
    trigger('1', '50099.99', 5),
    mode('cancel_only', 6),
    trigger('1', '50100.00', 7),
    mode('normal', 8),
    place('5', 'sell', '51000.00', 9),
    trigger('1', '50100.00', 10),
    trigger('1', '50100.00', 11),
    amend('1', '49500.00', '0', 12),
    trigger('2', '50200.00', 13),
    amend('2', '49900.00', '10.00', 14),
    trigger('3', '50300.00', 15),
    cancel('3', 16),
    cancel('4', 17),
    trigger('4', '50300.00', 18),
    place('6', 'sell', '49900.00', 19),
  ];
  const { engine, marks } = run(...commands);
  expect([...marks.orders.values()].map(({ triggered }) => triggered)).toEqual([true, true, true, false, false, false]);
  const end = { sequence: engine.state.sequence, hash: engine.hash() };
  const replayed = (list: readonly Message[]) =>
    replayBook(market, () => new LadderBook(), log({ 'ledger.0>spot.commands/0': list }), marks, end);
  expect(replayed(commands)).toMatchObject({
    ...{ stuck: null, hash: engine.hash(), bookHash: engine.bookHash() },
    tradeSequence: engine.state.tradeSequence,
  });
  const without = commands.filter(
    ({ type, body }) => type !== SpotTriggerV1.name || (body as SpotTrigger).orderId !== '2',
  );
  expect(replayed(without).stuck).toContain('no trigger in the log starts it');
});
