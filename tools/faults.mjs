// `npm run faults`: real faults against real processes with load on, in both runs of the exchange. Prints a table, and
// writes the lines as JSON to `.cache/faults/report-<seed>.json`.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  become,
  cacheDir,
  checkReachable,
  cloneEnv,
  ensureBuilt,
  ensureInstalled,
  fail,
  node24,
  program,
  progress,
  root,
  underNode24,
} from './lib/clone.mjs';
import { readArguments } from './lib/arguments.mjs';
import { bringParts } from './lib/parts.mjs';
import { PROGRAMS } from './lib/services.mjs';

const MODES = ['embedded', 'distributed'];
const USAGE = `Usage: npm run faults -- [options]

Real faults against real processes under load; a table, and lines of JSON in .cache/faults.

  --mode ${MODES.join('|')}  one run of the exchange; both where it is not said
  --only N,M                   these faults, by the numbers of docs/proofs/faults.md
  --part words                 the parts of a fault whose names have these words
  --seed S                     what is drawn: who is struck, where and when (1)
  --short                      the form of npm test, whose times say less`;
const { values } = readArguments(USAGE, {
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    mode: { type: 'string' },
    part: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});
if (!/^\d+$/.test(values.seed)) fail('--seed is a whole number.');
if (values.only && !/^\d+(,\d+)*$/.test(values.only)) fail('--only names faults by their numbers, as in --only 1,4.');
if (values.mode && !MODES.includes(values.mode)) fail(`--mode is ${MODES.join(' or ')}.`);

checkReachable();
await ensureInstalled();
if (!underNode24()) become([fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
else {
  const parts = bringParts(values.mode === 'embedded' ? [] : ['redis', 'kafka'], { onProgress: progress });
  if (parts.missing) fail(parts.missing);
  await ensureBuilt(PROGRAMS);
  await parts.all.catch((error) => fail(error.message));
  process.exitCode = await run();
}

async function run() {
  const { startProcess, noteChildren, stopAll } = await import('./lib/processes.mjs');
  const place = join(cacheDir, 'faults');
  mkdirSync(place, { recursive: true });
  await noteChildren(place);
  const lines = join(place, `lines-${values.seed}.jsonl`);
  rmSync(lines, { force: true });
  let ended = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      ended = true;
      void stopAll(30_000);
    });
  let code = 0;
  for (const mode of values.mode ? [values.mode] : MODES) {
    if (ended) break;
    progress(`Faults of the ${mode} run, seed ${values.seed} …`);
    const handle = startProcess(
      node24,
      [
        '--experimental-vm-modules',
        '--no-warnings=ExperimentalWarning',
        program('jest'),
        '--runTestsByPath',
        `apps/exchange/test/faults/${mode}.faults.test.ts`,
      ],
      {
        name: `faults ${mode}`,
        cwd: root,
        env: cloneEnv({
          NODE_ENV: 'test',
          FAULTS_FULL: values.short ? '0' : '1',
          FAULTS_SEED: values.seed,
          FAULTS_REPORT: lines,
          ...(values.only ? { FAULTS_ONLY: values.only } : {}),
          ...(values.part ? { FAULTS_PART: values.part } : {}),
        }),
      },
    );
    handle.child.stdout.pipe(process.stdout, { end: false });
    handle.child.stderr.pipe(process.stderr, { end: false });
    const { code: ofMode } = await handle.exited;
    code ||= ofMode ?? 1;
  }
  const rows = existsSync(lines)
    ? readFileSync(lines, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  const report = join(place, `report-${values.seed}.json`);
  writeFileSync(report, `${JSON.stringify({ seed: Number(values.seed), rows }, null, 2)}\n`);
  table(rows);
  const wrong = rows.filter((row) => row.wrong.length > 0);
  for (const row of wrong)
    for (const text of row.wrong) console.log(`WRONG ${row.mode} ${row.code} ${row.part}: ${text.slice(0, 400)}`);
  const kills = rows.reduce((sum, row) => sum + row.kills, 0);
  console.log(
    `\nSeed ${values.seed}: ${rows.length} faults, ${kills} kills, ` +
      `${rows.reduce((sum, row) => sum + row.ok + row.refused, 0)} intents, ${wrong.length} with something wrong. ` +
      `${relative(root, report)}`,
  );
  return ended ? 130 : code || (rows.length === 0 || wrong.length > 0 ? 1 : 0);
}

function table(rows) {
  const head = [
    'run',
    'fault',
    'part',
    'kills',
    'ok',
    'refused',
    'resolved',
    'slowest ms',
    'back ms',
    'bound ms',
    'load',
    'audit',
  ];
  const cells = rows.map((row) =>
    [
      row.mode,
      `${row.fault} ${row.code}`,
      row.part,
      row.kills,
      row.ok,
      row.refused,
      row.resolved,
      row.slowestMs,
      row.backMs,
      row.boundMs,
      row.machine,
      row.wrong.length === 0 ? 'agrees' : 'WRONG',
    ].map(String),
  );
  const widths = head.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column].length)));
  for (const row of [head, ...cells])
    console.log(
      row
        .map((text, column) =>
          column >= 3 && column <= 9 ? text.padStart(widths[column]) : text.padEnd(widths[column]),
        )
        .join('  '),
    );
}
