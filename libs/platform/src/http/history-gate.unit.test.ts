import { describe, expect, test } from '@jest/globals';
import { Unavailable } from './unavailable.js';
import { HistoryGate } from './history-gate.js';

describe('the gate of histories [HARD-315]', () => {
  test('lets a few read at once, the others one after another, and refuses longer waits', async () => {
    const gate = new HistoryGate(2, 3);
    const ends: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const read = (): Promise<void> =>
      gate.run(async () => {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => ends.push(resolve));
        running -= 1;
      });
    const reads = Array.from({ length: 5 }, read);
    await expect(read()).rejects.toBeInstanceOf(Unavailable);
    for (let n = 0; n < 5; n++) {
      ends.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(reads);
    expect([most, running]).toEqual([2, 0]);
  });

  test('pieces of several histories are read in turns, and none holds a place between two', async () => {
    const gate = new HistoryGate(1, 1);
    const order: string[] = [];
    async function* pieces(name: string) {
      for (let piece = 1; piece <= 2; piece++) {
        order.push(`${name}${piece}`);
        yield Promise.resolve(piece);
      }
    }
    const [first, second] = [gate.readPieces(pieces('a')), gate.readPieces(pieces('b'))];
    for (let turn = 0; turn < 2; turn++) expect([await first.next(), await second.next()]).toHaveLength(2);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2']);
    expect([await first.next(), await second.next()]).toEqual(Array(2).fill({ done: true, value: undefined }));
  });

  test('a failed read frees its place', async () => {
    const gate = new HistoryGate(1, 1);
    await expect(gate.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await gate.run(() => Promise.resolve(7))).toBe(7);
  });
});
