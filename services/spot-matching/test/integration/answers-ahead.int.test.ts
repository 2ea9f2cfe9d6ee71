import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { SpotOrder } from '@bourse/contract';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { EngineReports } from '../../src/application/engine-reports.js';
import { OrderReads } from '../../src/application/ports.js';
import { SpotBench } from '../spot-bench.js';

jest.setTimeout(testTimeoutMs(24_000));
let bench: SpotBench;

beforeAll(async () => {
  bench = await SpotBench.create();
});
afterAll(async () => {
  await bench.end();
});

/** Whether the row of an order is in the table, read without waiting for the engine. */
const isStored = async (id: string): Promise<boolean> =>
  (await bench.test.query('select 1 from spot.orders where id = $1', [id])).length > 0;

describe('an answer before the commit of its order', () => {
  test('leaves while the engine rests, and a list that follows it shows the order [SPOT-120]', async () => {
    let ahead = 0;
    // Orders that come one after the other from many people keep the engine committing and resting.
    for (let round = 0; ahead === 0; round += 1) {
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const user = bench.person();
          for (let turn = 0; turn < 5; turn += 1) {
            const placed = await bench.place(user, { type: '1', target_price: `${30_000 + round}`, amount: '0.001' });
            const { id, status } = placed.extra['order'] as SpotOrder;
            expect(status).toBe(1);
            if (!(await isStored(id))) ahead += 1;
            expect((await bench.order(user, id)).id).toBe(id);
            const { rows } = await bench.app.get(OrderReads).list(user, { status: 1 }, 0, 10);
            expect(rows.map((order) => order.id)).toContain(id);
          }
        }),
      );
    }
    await bench.explained();
  });

  test('of a fill equals the later rows [SPOT-120]', async () => {
    // On a slow machine the engine may take longer than a call waits: such an order is answered as accepted.
    const remember = jest.spyOn(bench.app.get(EngineReports), 'remember');
    const isAccepted = (id: string): boolean => remember.mock.calls.some(([order]) => order.id === id);
    let compared = 0;
    const compare = async (index: number): Promise<void> => {
      const [maker, taker] = [bench.person(), bench.person()];
      const price = `${40_000 + index}`;
      await bench.place(maker, { type: '2', target_price: price, amount: '0.002' });
      const placed = await bench.place(taker, { type: '1', target_price: price, amount: '0.001' });
      const answered = placed.extra['order'] as SpotOrder;
      const stored = await bench.order(taker, answered.id);
      if (isAccepted(answered.id)) return;
      compared += 1;
      expect(stored).toMatchObject({ status: answered.status, filled_amount: answered.filled_amount });
      expect(stored.updated_at).toBe(answered.updated_at);
    };
    await Promise.all(Array.from({ length: 30 }, (_, index) => compare(index)));
    // Where thirty at once were all too slow, one after the other is answered in time.
    for (let index = 30; compared === 0 && index < 60; index += 1) await compare(index);
    expect(compared).toBeGreaterThan(0);
    remember.mockRestore();
    await bench.explained();
  });

  test('never leaves where it frees money: an order placed next may use it [SPOT-123]', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        // All that the person has is in the order, so each next one needs what the cancel, or the end, has freed.
        const user = bench.person('100', '0');
        const price = 10_000 + index;
        const all = { type: '1', target_price: `${price}`, amount: String(Math.floor(1e8 / price) / 1e6) };
        for (let turn = 0; turn < 6; turn += 1) {
          const placed = await bench.place(user, turn % 2 === 0 ? all : { ...all, time_in_force: 'IOC' });
          const { id } = placed.extra['order'] as SpotOrder;
          if (turn % 2 === 0) await bench.cancel(user, id);
          // On a slow machine an order may be answered as accepted before it has run: it frees nothing until then.
          else await eventually(async () => (await bench.order(user, id)).status === 2);
        }
      }),
    );
    await bench.explained();
  });

  test('of a cancel is the state that its order keeps, whether it was open or done [SPOT-120]', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const user = bench.person();
        const placed = await bench.place(user, { type: '1', target_price: `${20_000 + index}`, amount: '0.001' });
        const { id } = placed.extra['order'] as SpotOrder;
        await expect(bench.cancel(user, id)).resolves.toMatchObject({ key: 'trade.cancelled' });
        await expect(bench.cancel(user, id)).rejects.toMatchObject({
          key: 'trade.notOpen',
          params: { state: 'cancelled' },
        });
        await expect(bench.cancel(bench.person(), id)).rejects.toMatchObject({ key: 'common.notFound' });
        expect(await bench.order(user, id)).toMatchObject({ status: 2, cancel_reason: 'user' });
      }),
    );
    await bench.explained();
  });
});
