import { describe, expect, test } from '@jest/globals';
import type { SpotOrder } from '@bourse/contract';
import { entriesOf, spanOf, stateOf } from './order-detail.js';

type Stated = Parameters<typeof stateOf>[0];
const order = (more: Partial<Stated>): Stated => ({
  status: 1,
  cancelled: 0,
  filled_amount: '0.0000',
  order_type: 'limit',
  triggered: 0,
  ...more,
});

describe('details of an order', () => {
  test('an order has the state that its amounts and its end say [SPOTVIEW-022]', () => {
    const filled = { filled_amount: '0.5000' };
    expect([
      stateOf(order({ order_type: 'stop_limit' })),
      stateOf(order({ order_type: 'stop_limit', triggered: 1 })),
      stateOf(order(filled)),
      stateOf(order({ ...filled, status: 2 })),
      stateOf(order({ ...filled, status: 2, cancelled: 1 })),
      stateOf(order({ status: 2, cancelled: 1 })),
    ]).toEqual(['waiting', 'open', 'partlyFilled', 'filled', 'partlyCancelled', 'cancelled']);
  });

  test('an order owns the entries of its hold and of its trades alone, oldest first [SPOTVIEW-023]', () => {
    const entry = (id: string, cause_type: string, cause_id: string, second: number) => ({
      id,
      cause_type,
      cause_id,
      created_time: `2026-01-01 00:00:0${second}`,
    });
    const entries = [
      entry('1002', 'trade', 'BTC/USDT-7', 2),
      entry('999', 'trade', 'BTC/USDT-7', 2),
      entry('12', 'order', '42', 1),
      entry('13', 'order', '43', 1),
      entry('14', 'trade', 'BTC/USDT-8', 2),
      entry('15', 'transfer', '42', 2),
    ];
    const own = entriesOf({ id: '42' }, [{ id: 'BTC/USDT-7' }], entries);
    expect(own.map(({ id }) => id)).toEqual(['12', '999', '1002']);
  });

  test('the statement of an order begins with it and ends a minute after it, unless it is open [SPOTVIEW-023]', () => {
    const span = (status: 1 | 2) =>
      spanOf({ status, created_at: '2026-01-01 00:00:00', updated_ts: 1_767_225_605_500 } as SpotOrder);
    expect(span(1)).toEqual({ from: '2026-01-01 00:00:00' });
    expect(span(2)).toEqual({ from: '2026-01-01 00:00:00', to: '2026-01-01 00:01:05' });
  });
});
