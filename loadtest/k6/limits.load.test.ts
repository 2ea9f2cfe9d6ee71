import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { CROSSED, k6, k6With, mustPass, noDemo, removeFolder, say, through } from '../lib/k6-tries.js';

/*
 * The scripts against an exchange with ordinary limits (RATE_SCALE=1). Preparing people waits for minutes of sign-ins;
 * they are the same in each test, and new in the first.
 */

jest.setTimeout(600_000);
afterAll(removeFolder);

/** Short, and by default in all else. */
const SHORT = { SECONDS: '6' };

describe('an exchange with ordinary limits', () => {
  test.each([
    ['orders', 'orders_ok'],
    ['sockets', 'trades_received'],
    ['deals', 'releases_ok'],
    ['day', 'reads_ok'],
    ['signin', 'signins_ok'],
  ])('%s works with its defaults, stays within them and reconciles [LOAD-006]', async (script, counted) => {
    const run = await k6With(script, SHORT);
    const counts = mustPass(run);
    expect(counts[counted]).toBeGreaterThan(0);
    expect(run.shares['turned_away']).toBeLessThanOrEqual(0.05);
    if (script !== 'signin') expect(counts['compared_people']).toBe(10);
  });

  test('is read by its address alone [LOAD-006] [LOAD-008]', async () => {
    await through(noDemo, async (url) => {
      const run = await k6With('read', { ...SHORT, BASE_URL: url });
      mustPass(run);
      expect(run.shares['turned_away']).toBe(0);
    });
  });

  test('that exceeds its limits fails the run with a reason, and still reconciles [LOAD-006]', async () => {
    // A limit that any machine reaches: on a busy one the load would stay below that of the exchange.
    const perSecond = 6;
    let [second, taken] = [0, 0];
    await through(
      (asked, answer) => {
        const now = Math.floor(Date.now() / 1_000);
        if (now !== second) [second, taken] = [now, 0];
        if (!asked.url?.startsWith('/api/') || (taken += 1) <= perSecond) return false;
        asked.resume();
        const refusal = {
          type: 'error',
          key: 'common.tooMany',
          params: { seconds: 1 },
          message: 'no',
          request_id: 'r',
        };
        return say(answer, 429, refusal, { 'retry-after': '1' });
      },
      async (url) => {
        const { code, said, counts } = await k6('orders', { BASE_URL: url, SHAPE: 'most', VUS: '8' });
        expect(code).toBe(CROSSED);
        expect(counts['rate_limited']).toBeGreaterThan(10);
        expect(said).toMatch(/FAILED: .*turned_away rate<=0\.05/);
        expect(said).toContain('An exchange takes 20 orders a second from a person');
        expect(said).not.toContain('had no answer');
        expect(counts).toMatchObject({ unreconciled: 0, compared_users: 8, compared_people: 4 });
        // Accepted orders are checked one by one; of the refused ones ten by each virtual user.
        expect(counts['compared']).toBeGreaterThanOrEqual(counts['orders_ok'] ?? Infinity);
        expect(counts['compared']).toBeLessThanOrEqual(
          counts['orders_ok']! +
            (counts['cancels_ok'] ?? 0) +
            counts['orders_refused']! +
            (counts['orders_unknown'] ?? 0),
        );
      },
    );
  });
});
