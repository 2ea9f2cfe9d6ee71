import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { FrameQueue } from './frame-queue.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('at most ten frames leave in any second, the rest in its order [CLIENT-111]', () => {
  const queue = new FrameQueue();
  const sent: { at: number; frame: number }[] = [];
  for (let frame = 0; frame < 45; frame += 1)
    queue.add(() => {
      sent.push({ at: performance.now(), frame });
      return true;
    });
  expect(sent).toHaveLength(10);
  jest.advanceTimersByTime(10_000);
  expect(sent.map(({ frame }) => frame)).toEqual(Array.from({ length: 45 }, (_, frame) => frame));
  for (const [index, { at }] of sent.entries())
    if (index >= 10) expect(at - sent[index - 10]!.at).toBeGreaterThanOrEqual(1_000);
});

test('a source without frames uses no turn, and a pause holds the queue back [CLIENT-111]', () => {
  const queue = new FrameQueue();
  let sent = 0;
  for (let frame = 0; frame < 50; frame += 1) queue.add(() => false);
  queue.pause(500);
  queue.add(() => (sent += 1) > 0);
  jest.advanceTimersByTime(499);
  expect(sent).toBe(0);
  jest.advanceTimersByTime(1);
  expect(sent).toBe(1);
  queue.pause(500);
  queue.add(() => (sent += 1) > 0);
  queue.clear();
  jest.advanceTimersByTime(5_000);
  expect(sent).toBe(1);
});
