import { expect, test } from '@jest/globals';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { get, post } from './client.js';

const DAY_MS = 86_400_000;

test('a clock that is moved a day answers when the timers of the night have run [TIMER-009]', async () => {
  const before = (await get('/dev/clock')).body.message as { now: number; offset_ms: number };
  // 00:20 UTC of the day after next: the snapshots of two nights fall due at 00:15, each as of its own (rules §13).
  const night = Math.floor(before.now / DAY_MS) * DAY_MS + 2 * DAY_MS + 20 * 60_000;
  const began = Date.now();
  const moved = await post('/dev/clock', { set: String(night) });
  expect(moved.status).toBe(200);
  expect(Date.now() - began).toBeLessThan(20_000);
  const { now, offset_ms: offset } = moved.body.message as { now: number; offset_ms: number };
  expect(now).toBeGreaterThanOrEqual(night);
  expect(offset).toBeGreaterThan(before.offset_ms);
  expect((await get('/api/time')).body.message).toBeGreaterThanOrEqual(night);
  // The timer has asked for the snapshot; it is taken beside the calls.
  const proof = await eventuallySatisfied(
    async () => (await get('/api/solvency/latest')).body.message,
    (latest) => latest !== null && latest.time >= new Date(night).toISOString().slice(0, 10),
    15_000,
  );
  expect(proof?.time.slice(0, 10)).toBe(new Date(night).toISOString().slice(0, 10));
});

test('the clock moves forward for all, never back [EDGE-016]', async () => {
  const before = (await get('/dev/clock')).body.message as { now: number; offset_ms: number };
  const moved = (await post('/dev/clock', { advance_seconds: 1 })).body.message as { now: number; offset_ms: number };
  expect(moved.offset_ms - before.offset_ms).toBe(1_000);
  expect(moved.now - before.now).toBeGreaterThanOrEqual(1_000);
  const time = (await get('/api/time')).body.message;
  expect(time - before.now).toBeGreaterThanOrEqual(1_000);
  expect((await post('/dev/clock', { set: String(before.now - 1_000) })).body).toMatchObject({
    key: 'common.fieldInvalid',
    field: 'set',
  });
  expect((await post('/dev/clock', { advance_seconds: '0' })).body).toMatchObject({
    key: 'common.fieldInvalid',
    field: 'advance_seconds',
  });
  expect((await post('/dev/clock', { advance_seconds: '-1' })).body.key).toBe('common.fieldInvalid');
  expect((await post('/dev/clock', { advance_seconds: '1', scope: 'elsewhere' })).body).toMatchObject({
    key: 'common.fieldInvalid',
    field: 'scope',
  });
});
