// npm run simulate -- --hours N | --seeds A..B | --seed S [--trace] [--json] [--keep-going] Runs the exchange's money
// core in a simulated world (docs/proofs/simulation.md). A seed that fails says why, and exits 1.
import { parseArgs } from 'node:util';
import './lib/sources.mjs';

const { runSeed, describePlan } = await import('@bourse/simulation');
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    hours: { type: 'string' },
    trace: { type: 'boolean' },
    json: { type: 'boolean' },
    'keep-going': { type: 'boolean' },
  },
});

const say = (text) => {
  if (!values.json) process.stdout.write(`${text}\n`);
};
const totals = { seeds: 0, events: 0, trades: 0, commands: 0, virtualMs: 0, failed: [], hashes: {} };
const startedAt = performance.now();
let saidAt = startedAt;

async function one(seed) {
  const outcome = await runSeed(seed, values.trace ? { trace: (line) => process.stdout.write(`${line}\n`) } : {});
  totals.seeds += 1;
  for (const name of ['events', 'trades', 'commands', 'virtualMs']) totals[name] += outcome[name];
  if (values.json || values.seed !== undefined) totals.hashes[seed] = outcome.hash;
  if (outcome.problems.length > 0) {
    const text = [
      `seed ${seed} FAILS (trace ${outcome.hash})`,
      ...outcome.problems.slice(0, 20).map((problem) => `  ${problem}`),
      `its faults: ${describePlan(outcome.plan)}`,
      `again with: npm run simulate -- --seed ${seed} --trace`,
    ].join('\n');
    totals.failed.push({ seed, text });
    say(text);
  }
  if (performance.now() - saidAt > 10_000) {
    saidAt = performance.now();
    say(
      `${totals.seeds} seeds, ${totals.commands} commands, ${totals.trades} trades, ` +
        `${Math.round((totals.virtualMs / 3_600_000) * 10) / 10} simulated hours, ${totals.failed.length} ` +
        `failed; ${(((saidAt - startedAt) / 1_000 / totals.seeds) * 1_000).toFixed(0)} ms a seed`,
    );
  }
}

function* seeds() {
  if (values.seed !== undefined) {
    yield values.seed;
    return;
  }
  if (values.seeds !== undefined) {
    const [from, to = from] = values.seeds.split('..').map(Number);
    for (let seed = from; seed <= to; seed += 1) yield String(seed);
    return;
  }
  // Long runs look where no run has looked yet.
  const until = performance.now() + Number(values.hours ?? 0.02) * 3_600_000;
  const base = Date.now().toString(36);
  for (let number = 1; performance.now() < until; number += 1) yield `${base}-${number}`;
}

for (const seed of seeds()) {
  await one(seed);
  if (totals.failed.length > 0 && !values['keep-going']) break;
}
if (values.json) process.stdout.write(`${JSON.stringify(totals)}\n`);
else {
  for (const [seed, hash] of Object.entries(totals.hashes)) say(`seed ${seed}: trace ${hash}`);
  say(
    `${totals.seeds} seeds in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s: ` +
      `${totals.commands} commands, ${totals.trades} trades, ${totals.events} events; ` +
      `${totals.failed.length === 0 ? 'everything was right in the end' : `${totals.failed.length} failed`}`,
  );
}
process.exitCode = totals.failed.length === 0 ? 0 : 1;
