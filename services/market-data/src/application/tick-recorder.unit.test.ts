import { expect, test } from '@jest/globals';
import { Metrics } from '@bourse/platform';
import { TickRecorder } from './tick-recorder.js';
import type { TickStore } from './tick-store.js';

/** Beside an instance that records, a 0 would be the youngest of all ages, which the alert uses. */
test('an instance that does not record reports no age of prices, not 0 [OBSERVE-025]', async () => {
  const metrics = new Metrics();
  const recorder = new TickRecorder(
    { onTick: () => undefined, price: () => undefined },
    { pairs: [] },
    {} as TickStore,
    { tickKeySecret: 'a'.repeat(64), retentionDays: 1 } as never,
    { now: () => 60_000 },
    metrics,
  );
  expect(recorder).toBeDefined();
  const shown = await metrics.registry.metrics();
  expect(shown).toContain('# TYPE bourse_tick_age_seconds gauge');
  expect(shown).not.toMatch(/^bourse_tick_age_seconds /m);
});
