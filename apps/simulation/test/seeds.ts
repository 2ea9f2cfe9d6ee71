import { describe, expect, test } from '@jest/globals';
import { installHost } from '../src/host.js';

// Before anything of the exchange is loaded.
installHost();
const { runSeed } = await import('../src/run.js');
const { describe: describePlan } = await import('../src/weather.js');

export { runSeed };

/** Runs a range of seeds; the first that fails says what was wrong, under which faults, and how to see it again. */
export function simulate(name: string, from: number, to: number): void {
  describe(name, () => {
    test(`seeds ${from} to ${to}: whatever breaks, money, books and answers are right in the end [SIM-001]`, async () => {
      let trades = 0;
      for (let seed = from; seed <= to; seed += 1) {
        const outcome = await runSeed(String(seed));
        trades += outcome.trades;
        if (outcome.problems.length > 0) {
          throw new Error([`seed ${seed} fails (hash ${outcome.hash}):`, ...outcome.problems.slice(0, 10).map((problem) => `  ${problem}`), describePlan(outcome.plan), `replay it with: npm run simulate -- --seed ${seed} --trace`].join('\n'));
        }
      }
      expect(trades).toBeGreaterThan(to - from); // a market in which nobody trades would prove nothing
    }, 600_000);
  });
}
