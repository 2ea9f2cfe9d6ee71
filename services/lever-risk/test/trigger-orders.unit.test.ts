import { expect, test } from '@jest/globals';
import type { Sagas } from '@bourse/ledger-client';
import type { Timers } from '@bourse/persistence';
import type { Clock } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { TriggerOrders } from '../src/application/trigger-orders.js';
import type { AccountClaims } from '../src/application/account-claims.js';
import type { LeverMarkets } from '../src/application/lever-markets.js';
import type { Change, LeverDatabase, PositionStore } from '../src/application/ports.js';
import type { PositionEvents } from '../src/application/position-events.js';
import { STATUS, type Position } from '../src/domain/position.js';
import { positionWith } from './positions.js';

const ACCOUNT = { userId: 1, quote: 3 };
const MARKS = new Map([[1, 6_000_000n]]);
const order = (id: string, more: Partial<Position> = {}): Position =>
  positionWith({ id, status: STATUS.pending, openedAt: null, ...more });

/**
 * Triggers orders of which the house covers `covered`: ids of the opened ones, result, statements for the cover.
 * @param known the orders at the tick
 */
async function trigger(positions: readonly Position[], covered = positions.length, known = positions) {
  const opened: Change[] = [];
  let left = BigInt(covered) * order('any').notional;
  let entered = 0;
  let asked = 0;
  const triggerOrders = new TriggerOrders(
    { defineMove: () => ({ beginAll: () => Promise.resolve() }) } as unknown as Sagas,
    { transaction: (work: (tx: never) => Promise<unknown>) => work({} as never) } as unknown as LeverDatabase,
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
    { marks: () => MARKS } as unknown as LeverMarkets,
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
