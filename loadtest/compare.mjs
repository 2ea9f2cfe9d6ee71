// `npm run bench:compare`: two commits under the same load in interleaved runs, as ratios.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, delimiter, join } from 'node:path';
import { readArguments } from '../tools/lib/arguments.mjs';
import { cacheDir, cloneEnv, fail, node24, progress, root, runLogged, underNode24 } from '../tools/lib/clone.mjs';
import { compareRuns, comparisonTable, dearerParts, mustBeComparable } from './lib/compare.mjs';
import { findK6 } from './lib/k6.mjs';
import { writeResult } from './lib/results.mjs';

const USAGE = `Usage: npm run bench:compare -- <commit> [<later commit>] [options]

Runs both commits under the k6 scripts of this clone, one after the other, as often as --rounds says, and prints each
figure's minimum, median and maximum and the median ratio, above 1 where the later commit (HEAD, unless one is named) is
better. CPU is also given in units of the generator's own CPU, which excludes changes of the machine's speed between
runs. Each commit has a clone of its own in .cache/compare. Run it on a quiet machine.

  --scenario S    a scenario of npm run loadtest (orders)
  --rounds N      pairs of runs (3)
  --duration S    seconds of each stage (10)
  --distributed   one process per service
  --limit R       end with 1 where a process makes an order more than R times as dear (1.05)`;
const { values, positionals } = readArguments(USAGE, {
  allowPositionals: true,
  options: {
    scenario: { type: 'string', default: 'orders' },
    rounds: { type: 'string', default: '3' },
    duration: { type: 'string', default: '10' },
    distributed: { type: 'boolean', default: false },
    limit: { type: 'string', default: '1.05' },
  },
});
if (!underNode24()) fail('Run it through npm: npm run bench:compare');
if (positionals.length < 1 || positionals.length > 2) fail(USAGE);
if (!/^[1-9]\d*$/.test(values.rounds)) fail(`--rounds is a whole number from 1, not ${values.rounds}.`);
if (!(Number(values.limit) > 0)) fail(`--limit is a number above 0, not ${values.limit}.`);

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const shorten = (commit) => commit.slice(0, 12);
const cloned = cloneEnv();
const env = { ...cloned, PATH: [dirname(node24), cloned.PATH].join(delimiter) };

/** A clone of a commit, installed, with the k6 scripts of this one. Kept from run to run. */
async function prepare(commit) {
  const folder = join(cacheDir, 'compare', shorten(commit));
  if (!existsSync(join(folder, '.prepared'))) {
    progress(`Preparing ${shorten(commit)} …`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    git('clone', '--quiet', '--shared', '--no-checkout', root, folder);
    execFileSync('git', ['checkout', '--quiet', commit], { cwd: folder });
    const code = await runLogged(`compare-${shorten(commit)}`, ['npm', 'ci', '--no-audit', '--no-fund'], {
      cwd: folder,
      env,
    });
    if (code !== 0) fail(`npm ci of ${shorten(commit)} ended with ${code}.`);
    // k6 and the other programs that were fetched or built for this clone.
    mkdirSync(join(folder, '.cache'), { recursive: true });
    for (const part of ['bench', 'kafka', 'parts'])
      if (existsSync(join(cacheDir, part))) symlinkSync(join(cacheDir, part), join(folder, '.cache', part));
    writeFileSync(join(folder, '.prepared'), '');
  }
  rmSync(join(folder, 'loadtest', 'k6'), { recursive: true, force: true });
  cpSync(join(root, 'loadtest', 'k6'), join(folder, 'loadtest', 'k6'), { recursive: true });
  return { commit, folder };
}

/** Runs the scenario in a clone and reads its result. */
async function run({ commit, folder }) {
  const { scenario, duration, distributed } = values;
  const name = distributed ? `${scenario}-distributed` : scenario;
  const file = join(folder, 'loadtest', 'results', `${name}.json`);
  rmSync(file, { force: true });
  const args = ['loadtest/run.mjs', scenario, '--duration', duration, ...(distributed ? ['--distributed'] : [])];
  const code = await runLogged(`compare-run-${shorten(commit)}`, [node24, ...args], {
    cwd: folder,
    env,
  });
  if (!existsSync(file)) fail(`The run of ${shorten(commit)} ended with ${code} and wrote no result.`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

const [before, after] = [positionals[0], positionals[1] ?? 'HEAD'].map((name) =>
  git('rev-parse', '--verify', `${name}^{commit}`),
);
await findK6();
const clones = [await prepare(before), await prepare(after)];
const pairs = [];
for (let round = 1; round <= Number(values.rounds); round += 1) {
  const pair = [];
  for (const clone of clones) {
    progress(`Round ${round}: ${shorten(clone.commit)} …`);
    const result = await run(clone);
    mustBeComparable(result);
    pair.push(result);
  }
  pairs.push(pair);
}
const rows = compareRuns(pairs);
console.log(`\n${shorten(before)} before, ${shorten(after)} after, ${pairs.length} rounds\n`);
console.log(comparisonTable(rows));
const dearer = dearerParts(pairs, Number(values.limit));
for (const sentence of dearer) console.log(sentence);
progress(
  `Written: ${writeResult('compare', { scenario: 'compare', before, after, rounds: pairs.length, rows, dearer })}`,
);
if (dearer.length > 0) process.exitCode = 1;
