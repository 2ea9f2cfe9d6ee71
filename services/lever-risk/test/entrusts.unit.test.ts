import { expect, test } from '@jest/globals';
import type { Sagas } from '@bourse/ledger-client';
import type { Timers } from '@bourse/persistence';
import type { Clock } from '@bourse/platform';
import type { Setting, Settings } from '@bourse/settings';
import { OpenEntrusts } from '../src/application/entrusts.js';
import type { Judge } from '../src/application/judge.js';
import type { LeverMarkets } from '../src/application/lever-markets.js';
import type { Change, LeverDatabase, PositionStore } from '../src/application/ports.js';
import type { PositionEvents } from '../src/application/position-events.js';
import { STATUS, type Position } from '../src/domain/position.js';
import { positionWith } from './positions.js';

const ACCOUNT = { userId: 1, quote: 3 };
const MARKS = new Map([[1, 6_000_000n]]);
const order = (id: string, more: Partial<Position> = {}): Position =>
  positionWith({ id, status: STATUS.pending, openedAt: null, ...more });

/** Opens what is touched; the house covers so many of them. Ids of what opened, how it ended, statements of cover. */
async function trigger(positions: readonly Position[], covered = positions.length) {
  const opened: Change[] = [];
  let left = BigInt(covered) * order('any').notional;
  let entered = 0;
  let asked = 0;
  const entrusts = new OpenEntrusts(
    { defineMove: () => ({ beginAll: () => Promise.resolve() }) } as unknown as Sagas,
    { transaction: (work: (tx: never) => Promise<unknown>) => work({} as never) } as unknown as LeverDatabase,
    {
      claimForRisk: () =>
        Promise.resolve({
          account: { ...ACCOUNT, version: 0 },
          balance: 10n ** 11n,
          house: 0n,
          positions,
          enter: () => Promise.resolve(void (entered += 1)),
          leave: () => Promise.resolve(),
        }),
    } as unknown as Judge,
    { marks: () => MARKS } as unknown as LeverMarkets,
    {
      expose: (_tx: unknown, _quote: unknown, notional: bigint) => {
        asked += 1;
        if (notional > left) return Promise.resolve(false);
        left -= notional;
        return Promise.resolve(true);
      },
      changeAll: (_: unknown, changes: readonly Change[]) => Promise.resolve(opened.push(...changes) > 0),
    } as unknown as PositionStore,
    { get: <T>(setting: Setting<T>) => setting.initial } as unknown as Settings,
    { setAll: () => Promise.resolve() } as unknown as Timers,
    { opened: () => undefined, changed: () => undefined } as unknown as PositionEvents,
    { now: () => 1_000 } as Clock,
  );
  const triggered = await entrusts.trigger(ACCOUNT, MARKS);
  return { triggered, ids: opened.map(({ after }) => after.id), entered, asked };
}

test('all orders that a tick touches open in one decision [LEVER-094] [HARD-404]', async () => {
  const touched = Array.from({ length: 100 }, (_, index) => order(String(index)));
  const { triggered, ids, entered, asked } = await trigger([...touched, order('far', { price: 5_000_000n })]);
  expect([triggered, ids.length, ids.includes('far'), entered, asked]).toEqual(['done', 100, false, 1, 1]);
});

test('an order that would break the opening rate waits, and the others open [LEVER-094]', async () => {
  // The balance is a tenth of its margin: alone it would lower the rate to 110.
  const large = order('large', { caution: 10n ** 12n });
  expect((await trigger([large, order('1'), order('2')])).ids).toEqual(['1', '2']);
});

test('what the house cannot cover waits [LEVER-094]', async () => {
  const orders = [order('1'), order('2'), order('3')];
  expect(await trigger(orders, 2)).toMatchObject({ triggered: 'done', ids: ['1', '2'] });
  expect(await trigger(orders, 0)).toMatchObject({ triggered: 'nothing', ids: [] });
});
