import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { LedgerReply } from '@bourse/events';
import type { LedgerClient } from '@bourse/ledger-client';
import type { Replies } from '@bourse/messaging';
import { AnswerStore } from '@bourse/persistence';
import { MemoryDatabases, MemoryServer } from '@bourse/persistence/memory';
import { readFields, Refused, type CallContext, type Clock } from '@bourse/platform';
import type { Order } from '@bourse/matching';
import { sampleOrder } from '@bourse/matching/samples';
import { CancelOrders } from './cancel-orders.js';
import type { EngineReports } from './engine-reports.js';
import type { LocalBooks } from './local-books.js';
import type { ListedMarket, Markets } from './markets.js';
import { CancelAllBody } from './order-fields.js';
import type { OrderReads } from './ports.js';

const USER = 100_001;
const KEY = 'command-1';
const market = {
  symbol: 'BTC/USDT',
  pairId: 1,
  partition: 0,
  priceScale: 2,
  numberScale: 4,
  quoteScale: 8,
  baseScale: 8,
  quoteName: 'USDT',
  baseName: 'BTC',
} as unknown as ListedMarket;
const filled = (): Order => ({
  ...sampleOrder({ id: '7', userId: USER, price: 100, quantity: 5, placedAt: 1 }),
  status: 2,
  filled: 5,
});

let answers: AnswerStore;
beforeEach(() => {
  answers = new AnswerStore(new MemoryDatabases(new MemoryServer()).at('spot'));
});

/** A cancel of an order that rests here, as one whose engine answers like this. */
const cancel = (answer: (poll: () => Promise<LedgerReply | null>) => Promise<LedgerReply | null>): Promise<unknown> => {
  const open = { ...filled(), status: 1 as const, filled: 0 };
  const markets = { byPair: () => market, partitionOf: () => 0 } as unknown as Markets;
  const reads = { byId: () => Promise.resolve(filled()) } as unknown as OrderReads;
  const replies = {
    instance: 'here',
    wait: (_id: string, _ms: number, poll: () => Promise<LedgerReply | null>) => answer(poll),
  } as unknown as Replies;
  const cancelling = new CancelOrders(
    markets,
    reads,
    { sendUnanswered: () => Promise.resolve() } as unknown as LedgerClient,
    replies,
    answers,
    {} as EngineReports,
    { openOrder: () => ({ order: open, pairId: 1 }) } as unknown as LocalBooks,
    { now: () => 1 } as unknown as Clock,
  );
  const context: CallContext = {
    requestId: 'r',
    lang: 'en',
    ip: '',
    agent: '',
    caller: null,
    commandId: KEY,
    hasKey: true,
    bodyHash: 'body',
    validUntil: 0,
  };
  return cancelling.one(USER, { id: '7' }, context).catch((error: unknown) => error);
};

interface AllWorld {
  readonly open: Map<string, Order>;
  /** Sends the cancel of an order; it has ended when this resolves. */
  readonly send?: (id: string) => Promise<void>;
  readonly now?: () => number;
}
/** Cancels of all orders that are open here. */
const cancelsOf = ({ open, send = () => Promise.resolve(), now = () => 1 }: AllWorld): CancelOrders =>
  new CancelOrders(
    { all: () => [market], byPair: () => market, partitionOf: () => 0 } as unknown as Markets,
    {
      list: (_user: number, _filter: object, offset: number, count: number) =>
        Promise.resolve({ rows: [...open.values()].slice(offset, offset + count) }),
    } as unknown as OrderReads,
    {
      sendUnanswered: async ({ forward }: { forward: { message: { body: { orderId: string } } } }) => {
        const { orderId } = forward.message.body;
        await send(orderId);
        open.delete(orderId);
      },
    } as unknown as LedgerClient,
    {
      instance: 'here',
      wait: (commandId: string) =>
        Promise.resolve({ commandId, ok: true, repeated: false, answer: { type: 'ok', key: 'trade.cancelled' } }),
    } as unknown as Replies,
    answers,
    {} as EngineReports,
    {} as LocalBooks,
    { now } as unknown as Clock,
  );
const openOrders = (count: number, placedAt = 1): Map<string, Order> =>
  new Map(
    Array.from({ length: count }, (_, at): [string, Order] => [
      String(at),
      { ...filled(), id: String(at), status: 1, filled: 0, placedAt },
    ]),
  );
const WITHOUT_KEY = { commandId: null, hasKey: false } as CallContext;

test.each([
  ['of this copy of the service', 1],
  ['of another copy, whose clock is ahead', 400],
])('cancel_all ends all orders %s, however many, and none placed after the call [SPOT-267]', async (_, placedAt) => {
  let now = 1;
  const open = openOrders(2_500, placedAt);
  const cancelling = cancelsOf({ open, now: () => now });
  // The claim of its key takes a moment.
  const { once } = answers;
  jest.spyOn(answers, 'once').mockImplementation((claimed, decide) => {
    now = 3;
    open.set('late', { ...filled(), id: 'late', status: 1, filled: 0, placedAt: placedAt + 1 });
    return once.call(answers, claimed, decide) as never;
  });
  const { extra } = await cancelling.all(USER, readFields(CancelAllBody, {}), WITHOUT_KEY);
  expect([(extra['ids'] as string[]).length, [...open.keys()]]).toEqual([2_500, ['late']]);
});

describe('cancel_all that cannot send every cancel', () => {
  const down = (): Promise<void> => Promise.reject(new Refused('common.unavailable'));
  const all = (world: AllWorld): Promise<unknown> =>
    cancelsOf(world)
      .all(USER, readFields(CancelAllBody, {}), WITHOUT_KEY)
      .catch((error: unknown) => error);

  test.each([
    ['of the same slice', 3, (id: string) => id === '1'],
    ['of a later slice', 1_001, (id: string) => id === '1000'],
  ])('is pending when others %s have ended: it has done something [SPOT-303]', async (_, count, fails) => {
    const open = openOrders(count);
    const send = (id: string): Promise<void> => (fails(id) ? down() : Promise.resolve());
    expect(await all({ open, send })).toMatchObject({ key: 'common.processing' });
    expect(open.size).toBe(1);
  });

  test('is refused as unavailable when none was sent [SPOT-303]', async () => {
    const open = openOrders(3);
    expect(await all({ open, send: down })).toMatchObject({ key: 'common.unavailable' });
    expect(open.size).toBe(3);
  });
});

describe('the answer to a cancel under a key', () => {
  test("is the engine's to keep when the engine has given it: the call leaves it alone [ANSWER-007]", async () => {
    const reply: LedgerReply = {
      commandId: KEY,
      ok: false,
      repeated: false,
      answer: { type: 'error', key: 'trade.notOpen', params: { state: 'filled' } },
    };
    expect(await cancel(() => Promise.resolve(reply))).toMatchObject({ key: 'trade.notOpen' });
    expect(await answers.find(KEY)).toEqual({ state: 'pending' });
  });

  test("the engine has not decided, and may never be asked: the call keeps its row's word [ANSWER-007]", async () => {
    expect(await cancel((poll) => poll())).toMatchObject({ key: 'trade.notOpen' });
    expect(await answers.find(KEY)).toMatchObject({ state: 'done', answer: { key: 'trade.notOpen' } });
  });

  test('stays open while nothing is known [ANSWER-006]', async () => {
    expect(await cancel(() => Promise.resolve(null))).toMatchObject({ key: 'common.processing' });
    expect(await answers.find(KEY)).toEqual({ state: 'pending' });
  });
});
