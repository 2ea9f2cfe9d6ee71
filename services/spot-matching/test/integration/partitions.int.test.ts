import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { serviceAsks } from '@bourse/messaging';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { BTC, SpotBench, USDT } from '../spot-bench.js';

jest.setTimeout(testTimeoutMs(24_000));
let bench: SpotBench;
beforeAll(async () => {
  bench = await SpotBench.create(3);
});
afterAll(async () => {
  await bench.end();
});

test('with three partitions of the ledger a trade settles by clearing, which ends at zero [SPOT-217]', async () => {
  const users = Array.from({ length: 8 }, (_, index) => 200_001 + index);
  for (const user of users) {
    bench.state.give(user, USDT, '1000');
    bench.state.give(user, BTC, '1');
  }
  const before = [bench.state.total(USDT), bench.state.total(BTC)];
  for (const [index, user] of users.entries()) {
    await bench.sell(user, String(50_000 + index), '0.003');
    await bench.buy(users[(index + 3) % users.length]!, '50010', '0.002');
  }
  await bench.quiet();
  expect(bench.ledger.faults).toEqual([]);
  expect([bench.state.total(USDT), bench.state.total(BTC)]).toEqual(before);
  expect([bench.state.house('h.clearing', USDT), bench.state.house('h.clearing', BTC)]).toEqual([
    '0.00000000',
    '0.00000000',
  ]);
  expect(bench.state.house('h.fees', BTC)).toBe('0.00001600');
  const audit = await bench.ask(serviceAsks.audit('spot-matching'), {});
  const lines = await bench.neededHolds();
  expect(audit.checks.every(({ ok }) => ok)).toBe(true);
  expect(new Map(lines.map(({ hold, amount }) => [hold, amount]))).toEqual(bench.state.holds());
});
