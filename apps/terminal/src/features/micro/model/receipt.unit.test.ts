import { describe, expect, test } from '@jest/globals';
import type { Tick } from '@bourse/contract';
import {
  joined,
  keyAt,
  lacksEnd,
  laterStretches,
  medianTick,
  pictureOf,
  readReceipt,
  signedAt,
  stretches,
} from './receipt.js';

const tick = (id: number, price: string, time = id * 1_000): Tick => ({
  id: String(id),
  symbol: 'BTC/USDT',
  time,
  price,
  prev_hash: `${id - 1}`,
  hash: String(id),
});

describe('the inputs of a receipt check', () => {
  test('ticks from the acceptance to the expiry, in stretches that one call answers [MICROUI-020]', () => {
    const time = (text: string): number => Date.parse(`2026-11-22T${text}Z`);
    expect(stretches({ create_time: '2026-11-22 12:00:00', expire_time: '2026-11-22 12:01:01' })).toEqual([
      { from: time('12:00:00'), to: time('12:01:01') },
    ]);
    expect(stretches({ create_time: '2026-11-22 12:00:00', expire_time: '2026-11-22 12:15:00' })).toEqual([
      { from: time('12:00:00'), to: time('12:09:59') },
      { from: time('12:10:00'), to: time('12:15:00') },
    ]);
    // Never opened: the seconds in which it could have.
    expect(stretches({ create_time: '2026-11-22 12:00:00', expire_time: '' })).toEqual([
      { from: time('12:00:00'), to: time('12:00:06') },
    ]);
  });

  test('a contract that expired in a gap of the recording is checked with the next tick [MICROUI-020]', () => {
    const end = Date.parse('2026-11-22T12:01:01Z');
    const order = { status: 3, open_price: '1', expire_time: '2026-11-22 12:01:01' } as const;
    const chain = (...times: number[]) => ({
      ticks: times.map((at) => tick(1, '1', at)),
      public_key: '',
      signature: '',
    });
    expect(lacksEnd(order, chain(end - 30_000))).toBe(true);
    expect(lacksEnd(order, chain(end - 30_000, end))).toBe(false);
    expect(lacksEnd({ ...order, open_price: '' }, chain())).toBe(false);
    expect(lacksEnd({ ...order, status: 1 }, chain(end - 30_000))).toBe(false);
    const [first, second] = laterStretches(order);
    expect(first).toEqual({ from: end + 1_000, to: end + 600_000 });
    expect(second?.from).toBe(end + 601_000);
  });

  test('several answers are one chain under the signature of the last tick [MICROUI-020]', () => {
    const first = { ticks: [tick(1, '1')], public_key: 'a', signature: 'x' };
    const second = { ticks: [tick(2, '2')], public_key: 'b', signature: 'y' };
    expect(joined([first, second])).toEqual({ ticks: [tick(1, '1'), tick(2, '2')], public_key: 'b', signature: 'y' });
    expect(joined([first, { ...second, ticks: [] }])).toEqual(first);
  });

  test('the key is the one that was published for the time of the last tick, not the newest [MICROUI-021]', () => {
    const keys = [
      { public_key: 'old', from: 0, until: 5_000 },
      { public_key: 'new', from: 5_000, until: null },
    ];
    expect([keyAt(keys, 4_999), keyAt(keys, 5_000), keyAt([], 1)]).toEqual(['old', 'new', null]);
    expect(signedAt({ chain: { ticks: [tick(1, '1'), tick(2, '1')] } })).toBe(2_000);
    expect([signedAt(null), signedAt({ chain: { ticks: [] } }), signedAt('x')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a saved file reaches the verifier unchanged; a file without JSON is refused [MICROUI-021]', () => {
    expect([readReceipt('{"a":1}'), readReceipt('{')]).toEqual([{ a: 1 }, undefined]);
  });
});

describe('the picture of the ticks', () => {
  test('marks the tick whose price is the median, of four the later of the middle two [MICROUI-022]', () => {
    const five = ['60010', '60012.5', '60011', '60009', '60013'].map((price, at) => tick(at + 1, price));
    expect(medianTick(five)?.price).toBe('60011');
    expect(medianTick(['10', '12', '11', '13'].map((price, at) => tick(at + 1, price)))?.id).toBe('3');
    expect(medianTick([tick(1, '1'), tick(2, '2')])).toBeUndefined();
  });

  test('keeps time and price in order inside its frame, whatever the prices [MICROUI-022]', () => {
    const size = { width: 100, height: 60 };
    const picture = pictureOf([tick(1, '10'), tick(2, '12'), tick(3, '11')], '9', size);
    expect([picture?.low, picture?.high]).toEqual(['9', '12']);
    const [a, b, c] = picture?.dots ?? [];
    expect(a!.x < b!.x && b!.x < c!.x && b!.y < c!.y && c!.y < a!.y && a!.y < picture!.openY!).toBe(true);
    for (const { x, y } of picture?.dots ?? []) expect(x >= 0 && x <= 100 && y >= 0 && y <= 60).toBe(true);
    expect(pictureOf([tick(1, '10')], '10', size)?.dots[0]?.y).toBe(30);
    expect(pictureOf([], '', size)).toBeUndefined();
  });

  test('a picture draws no line across missing ticks [MICROUI-034]', () => {
    const size = { width: 100, height: 60 };
    const picture = pictureOf([tick(1, '10'), tick(26, '12'), tick(27, '11'), tick(28, '13')], '10', size);
    expect(picture?.runs.map((run) => run.map((dot) => dot.tick.id))).toEqual([['1'], ['26', '27', '28']]);
  });
});
