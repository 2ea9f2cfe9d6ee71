// `npm run simulate`: runs the exchange's money core in a simulated world (docs/proofs/simulation.md).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readArguments } from './lib/arguments.mjs';
import { fail, isDevelopmentClone } from './lib/clone.mjs';

const USAGE = `Usage: npm run simulate -- [options]

The money core in a simulated world (docs/proofs/simulation.md). A seed that fails says why, and the end is 1.

  --seeds A..B       these seeds
  --seed S           one seed; with --trace all that happens in it
  --hours N          new seeds for so many hours
  --files <folder>   what other programs can check there, such as the ledger as books (docs/accounting.md)
  --crowd <service>  people use that service ten times as much
  --dry <service>    the house cannot pay that service while people make calls
  --keep-going       continues after a seed that failed
  --json             the outcome as JSON`;
const { values } = readArguments(USAGE, {
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    hours: { type: 'string' },
    trace: { type: 'boolean' },
    json: { type: 'boolean' },
    'keep-going': { type: 'boolean' },
    crowd: { type: 'string' },
    dry: { type: 'string' },
    files: { type: 'string' },
  },
});

const refuse = (sentence) => fail(`${sentence}\n\n${USAGE}`);
/** First and last seed of --seeds; a run that tests no seed must not end as a success. */
function rangeOf(text) {
  const [, from, to = from] = /^(\d{1,15})(?:\.\.(\d{1,15}))?$/.exec(text) ?? [];
  if (from === undefined || Number(to) < Number(from)) refuse('--seeds is a range such as 1..40.');
  return [Number(from), Number(to)];
}
const range = values.seeds === undefined ? undefined : rangeOf(values.seeds);
const hours = Number(values.hours ?? 0.02);
if (!Number.isFinite(hours) || hours <= 0) refuse('--hours is a number above 0.');

// In the image they are built.
if (isDevelopmentClone) await import('./lib/sources.mjs');
const { runSeed, describePlan } = await import('@bourse/simulation');

const say = (text) => {
  if (!values.json) process.stdout.write(`${text}\n`);
};
const totals = { seeds: 0, events: 0, commands: 0, virtualMs: 0, figures: {}, failed: [], hashes: {} };
/** Problems of one invariant that are printed of a seed. */
const SHOWN_MAX = 6;
const startedAt = performance.now();
let saidAt = startedAt;
/** Counters of events in the services, by name. */
const figures = () =>
  Object.entries(totals.figures)
    .map(([name, count]) => `${count} ${name}, `)
    .join('');

/** The first problems of each invariant: one that is broken often must not hide the others. */
const someOfEach = (problems) => {
  const counts = new Map();
  const shown = problems.filter((problem) => {
    const [invariant] = problem.split(' ', 1);
    counts.set(invariant, (counts.get(invariant) ?? 0) + 1);
    return counts.get(invariant) <= SHOWN_MAX;
  });
  const hidden = problems.length - shown.length;
  return hidden > 0 ? [...shown, `… and ${hidden} more`] : shown;
};

const chosen = (option) => (values[option] ? ` --${option} ${values[option]}` : '');

async function one(seed) {
  const outcome = await runSeed(seed, {
    ...(values.trace ? { trace: (line) => process.stdout.write(`${line}\n`) } : {}),
    ...(values.crowd === undefined ? {} : { crowd: values.crowd }),
    ...(values.dry === undefined ? {} : { dry: values.dry }),
  });
  totals.seeds += 1;
  for (const name of ['events', 'commands', 'virtualMs']) totals[name] += outcome[name];
  for (const [name, count] of Object.entries(outcome.figures))
    totals.figures[name] = (totals.figures[name] ?? 0) + count;
  if (values.files !== undefined)
    for (const [name, pieces] of Object.entries(outcome.files))
      await writeFile(join(values.files, `${seed}-${name}`), pieces);
  if (values.json || values.seed !== undefined) totals.hashes[seed] = outcome.hash;
  if (outcome.problems.length > 0) {
    const text = [
      `seed ${seed} FAILS (trace ${outcome.hash})`,
      ...someOfEach(outcome.problems).map((problem) => `  ${problem}`),
      `its faults: ${describePlan(outcome.plan)}`,
      `again with: npm run simulate -- --seed ${seed}${chosen('crowd')}${chosen('dry')} --trace`,
    ].join('\n');
    totals.failed.push({ seed, text });
    say(text);
  }
  if (performance.now() - saidAt > 10_000) {
    saidAt = performance.now();
    const simulated = Math.round((totals.virtualMs / 3_600_000) * 10) / 10;
    const seedMs = ((saidAt - startedAt) / totals.seeds).toFixed(0);
    say(
      `${totals.seeds} seeds, ${totals.commands} commands, ${figures()}${simulated} simulated hours, ` +
        `${totals.failed.length} failed; ${seedMs} ms a seed`,
    );
  }
}

function* seeds() {
  if (values.seed !== undefined) {
    yield values.seed;
    return;
  }
  if (range !== undefined) {
    const [from, to] = range;
    for (let seed = from; seed <= to; seed += 1) yield String(seed);
    return;
  }
  // Long runs use seeds that no run has used before.
  const until = performance.now() + hours * 3_600_000;
  const base = Date.now().toString(36);
  let number = 0;
  do yield `${base}-${(number += 1)}`;
  while (performance.now() < until);
}

for (const seed of seeds()) {
  await one(seed);
  if (totals.failed.length > 0 && !values['keep-going']) break;
}
if (values.json) process.stdout.write(`${JSON.stringify(totals)}\n`);
else {
  for (const [seed, hash] of Object.entries(totals.hashes)) say(`seed ${seed}: trace ${hash}`);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const end = totals.failed.length === 0 ? 'everything was right in the end' : `${totals.failed.length} failed`;
  say(
    `${totals.seeds} seeds in ${seconds} s: ${totals.commands} commands, ${figures()}${totals.events} events; ${end}`,
  );
}
process.exitCode = totals.failed.length === 0 ? 0 : 1;
