import { describe, expect, test } from '@jest/globals';
import type { Sagas } from '@bourse/ledger-client';
import { authAsks, gatewayAsks, type Asks } from '@bourse/messaging';
import type { Timers } from '@bourse/persistence';
import type { Clock } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { AskedOpenings } from '../src/adapters/messaging/asked-openings.js';
import { TriggerOrders } from '../src/application/trigger-orders.js';
import type { AccountClaims } from '../src/application/account-claims.js';
import type { LeverMarkets } from '../src/application/lever-markets.js';
import type { Change, LeverDatabase, PositionStore } from '../src/application/ports.js';
import type { PositionEvents } from '../src/application/position-events.js';
import { STATUS, type Position } from '../src/domain/position.js';
import { positionWith } from './positions.js';

const ACCOUNT = { userId: 1, quote: 3 };
const MARKS = new Map([
  [1, 6_000_000n],
  [2, 6_000_000n],
]);
const order = (id: string, more: Partial<Position> = {}): Position =>
  positionWith({ id, status: STATUS.pending, openedAt: null, ...more });

/** Fresh prices at a decision. */
let marks: ReadonlyMap<number, bigint>;

/**
 * Triggers orders of which the house covers `covered`: ids of the opened ones, result, statements for the cover.
 * @param known the orders at the tick
 */
async function trigger(
  positions: readonly Position[],
  covered = positions.length,
  known = positions,
  { areOpen = true, closedPairs = [] as readonly number[], onTransaction = (): void => undefined } = {},
) {
  const opened: Change[] = [];
  marks = MARKS;
  let left = BigInt(covered) * order('any').notional;
  let entered = 0;
  let asked = 0;
  const triggerOrders = new TriggerOrders(
    { defineMove: () => ({ beginAll: () => Promise.resolve() }) } as unknown as Sagas,
    {
      transaction: (work: (tx: never) => Promise<unknown>) => {
        onTransaction();
        return work({} as never);
      },
    } as unknown as LeverDatabase,
    {
      claimForRisk: () =>
        Promise.resolve({
          account: { ...ACCOUNT, version: 0 },
          balance: 10n ** 11n,
          house: 0n,
          positions,
          commit: () => Promise.resolve(void (entered += 1)),
          release: () => Promise.resolve(),
        }),
    } as unknown as AccountClaims,
    {
      marks: () => marks,
      byPair: (pairId: number) => ({ isOpen: !closedPairs.includes(pairId) }),
    } as unknown as LeverMarkets,
    {
      addOpenNotional: (_tx: unknown, _quote: unknown, notional: bigint) => {
        asked += 1;
        if (notional > left) return Promise.resolve(false);
        left -= notional;
        return Promise.resolve(true);
      },
      changeAll: (_: unknown, changes: readonly Change[]) => Promise.resolve(opened.push(...changes) > 0),
    } as unknown as PositionStore,
    new FixedSettings(),
    { setAll: () => Promise.resolve() } as unknown as Timers,
    { notifyOpened: () => undefined, publishAfterCommit: () => undefined } as unknown as PositionEvents,
    { areOpen: () => Promise.resolve(areOpen) },
    { now: () => 1_000 } as Clock,
  );
  const triggered = await triggerOrders.trigger({ ...ACCOUNT, version: 0, balance: 0n, positions: known }, MARKS);
  return { triggered, ids: opened.map(({ after }) => after.id), entered, asked };
}

test('all trigger orders that a tick reaches open in one decision [LEVER-094] [HARD-404]', async () => {
  const reached = Array.from({ length: 100 }, (_, index) => order(String(index)));
  const { triggered, ids, entered, asked } = await trigger([...reached, order('far', { price: 5_000_000n })]);
  expect([triggered, ids.length, ids.includes('far'), entered, asked]).toEqual(['done', 100, false, 1, 1]);
});

test('a trigger order that would break the opening rate stays pending, and the others open [LEVER-094]', async () => {
  // The balance is a tenth of its margin: alone it would lower the rate to 110.
  const large = order('large', { margin: 10n ** 12n });
  expect((await trigger([large, order('1'), order('2')])).ids).toEqual(['1', '2']);
});

test('a trigger order that the house does not cover stays pending [LEVER-094]', async () => {
  const orders = [order('1'), order('2'), order('3')];
  expect(await trigger(orders, 2)).toMatchObject({ triggered: 'done', ids: ['1', '2'] });
  expect(await trigger(orders, 0)).toMatchObject({ triggered: 'nothing', ids: [] });
});

test('an order that was placed after the tick is not judged by its price [LEVER-110]', async () => {
  const [known, later] = [order('1'), order('2')];
  expect(await trigger([known, later], 2, [known])).toMatchObject({ triggered: 'done', ids: ['1'] });
  expect(await trigger([later], 1, [known])).toMatchObject({ triggered: 'nothing', ids: [], entered: 0 });
});

test('a trigger order waits while leverage of its pair is closed, and the others open [LEVER-112]', async () => {
  const orders = [order('1'), order('2', { pairId: 2 })];
  expect((await trigger(orders, 2, orders, { closedPairs: [1] })).ids).toEqual(['2']);
});

test('trigger orders wait while a submit of their owner is stopped, without a claim [LEVER-112]', async () => {
  const orders = [order('1')];
  const stopped = { triggered: 'nothing', ids: [], entered: 0 };
  expect(await trigger(orders, 1, orders, { areOpen: false })).toMatchObject(stopped);
});

describe('new positions of a person are stopped [LEVER-112]', () => {
  const answers = { [gatewayAsks.openings.name]: { stopped: false }, [authAsks.frozen.name]: [] as number[] };
  const areOpen = (more: Record<string, unknown> = {}): Promise<boolean> => {
    const ask = ({ name }: { name: string }, question: unknown): Promise<unknown> => {
      const answer = { ...answers, ...more }[name];
      expect(question).toEqual(name === authAsks.frozen.name ? { userIds: [1], from: 'trade' } : { breaker: 'lever' });
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    return new AskedOpenings({ ask } as unknown as Asks).areOpen(1);
  };

  test('by the gateway for all, by auth for the person, and while either is away', async () => {
    expect(await areOpen()).toBe(true);
    expect(await areOpen({ [gatewayAsks.openings.name]: { stopped: true } })).toBe(false);
    expect(await areOpen({ [authAsks.frozen.name]: [1] })).toBe(false);
    for (const { name } of [gatewayAsks.openings, authAsks.frozen])
      expect(await areOpen({ [name]: new Error('away') })).toBe(false);
  });
});

test('a trigger order whose price became stale while its transaction waited stays pending [LEVER-088]', async () => {
  const orders = [order('1')];
  const onTransaction = (): void => {
    marks = new Map();
  };
  expect(await trigger(orders, 1, orders, { onTransaction })).toMatchObject({ triggered: 'nothing', ids: [] });
});
