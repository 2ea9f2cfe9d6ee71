// `npm test`: chooses what runs, runs it, and prints what came of it.
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findK6 } from '../../loadtest/lib/k6.mjs';
import { fail, progress, root } from './clone.mjs';
import { kubernetesTools } from './kubernetes.mjs';
import { MissingPart } from './missing.mjs';
import { bringParts } from './parts.mjs';
import { noteChildren } from './processes.mjs';
import { readChanges } from './suites/changes.mjs';
import { measureTimeFactor } from './suites/machine.mjs';
import { readOptions, UsageError } from './suites/options.mjs';
import { logDir, testDir, testFiles } from './suites/places.mjs';
import { planFiles } from './suites/plan.mjs';
import { printSummary } from './suites/report.mjs';
import { counts, indent, nothing } from './suites/result.mjs';
import { cleanUp } from './suites/run.mjs';
import { chooseSeeds } from './suites/seeds.mjs';
import { SUITES } from './suites/suites.mjs';

const inCi = /^(1|true)$/i.test(process.env.CI ?? '');

/**
 * Reads the arguments, chooses what runs, and begins to fetch the programs that this machine lacks for it; ends with a
 * sentence if one cannot be had. The packages must be installed; no build is needed.
 *
 * @param {readonly string[]} args
 * @returns {Promise<() => Promise<number>>} runs it, prints the summary and the count, and gives the exit code
 */
export async function prepareRun(args) {
  const all = testFiles();
  const options = readOrFail(args, all);
  endOnSignals();
  mkdirSync(logDir, { recursive: true });
  await noteChildren(testDir);
  const notes = [describeRecordings(), chooseSeeds(options.full), await setTimeFactor()];
  const changes = options.full || options.parts.length > 0 ? undefined : readChanges(options.base);
  if (!options.full && options.parts.length === 0)
    notes.push(
      changes
        ? `Changes since ${changes.base.slice(0, 8)}: ${changes.files.size} files.`
        : 'No commit to compare with: suites that run on changes do not run.',
    );
  for (const note of notes) console.log(note);
  const { chosen, left } = choose(all, options, changes);
  if (chosen.length === 0) fail(`Nothing to run. ${left.join('. ')}`);
  const parts = fetchParts(chosen, options);
  return async () => {
    const runs = [];
    for (let run = 1; run <= options.repeat; run += 1) {
      if (options.repeat > 1) progress(`Run ${run} of ${options.repeat}`);
      runs.push(await runAll(chosen, parts, options));
    }
    await cleanUp();
    return printSummary(runs, { left, notes, inCi, repeat: options.repeat });
  };
}

function readOrFail(args, all) {
  const names = SUITES.map(({ name }) => name);
  try {
    const options = readOptions(args, { suites: names, files: all });
    if (inCi && (options.parts.length > 0 || options.affected || options.allowMissing))
      fail('Files, --affected and --allow-missing leave tests out: not in CI.');
    return options;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return fail(error.message);
  }
}

function endOnSignals() {
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (interrupted) return; // Ctrl-C comes twice: from the terminal, and passed on by npm
      interrupted = true;
      console.error(`\n${signal}: ending what was started …`);
      cleanUp().then(
        () => process.exit(130),
        (error) => {
          console.error(error);
          process.exit(130);
        },
      );
    });
  }
}

/** Every limit of a test is that of the product times this factor; a pipeline may set it. */
async function setTimeFactor() {
  process.env.TIME_FACTOR ??= String(await measureTimeFactor());
  return `Time factor of this machine: ${process.env.TIME_FACTOR}.`;
}

/** The suites that run, each with its files, and sentences for all that does not. */
function choose(all, options, changes) {
  const chosen = [];
  const left = [];
  const taken = new Set();
  for (const suite of SUITES) {
    const named = options.suites.includes(suite.name);
    if (options.suites.length > 0 && !named) continue;
    if (!suite.files) {
      if (options.parts.length === 0) chosen.push({ ...suite, files: [] });
      continue;
    }
    const full = options.full || (named && !hasCore(suite));
    const plan = planFiles(suite, all, { ...options, full, isNamed: named }, changes);
    // A file that is named runs in the first suite that has it, unless the suite is named too.
    const files = options.parts.length > 0 && !named ? plan.files.filter((file) => !taken.has(file)) : plan.files;
    for (const file of files) taken.add(file);
    left.push(...plan.left);
    if (files.length > 0) chosen.push({ ...suite, files });
  }
  return { chosen, left };
}

/** Whether a run without `--full` and without changes has any file of the suite. */
const hasCore = ({ core }) => core === undefined || core.source !== '^$';

/** Programs that Go compiles, once; its own part is `go`. */
const COMPILED = { k6: () => findK6(), kubernetes: () => kubernetesTools(progress) };

/** Fetches what the suites need and this machine lacks, while packages are built and the first suites compute. */
function fetchParts(chosen, { allowMissing }) {
  const needs = [...new Set(chosen.flatMap((suite) => suite.needs ?? []))];
  const parts = bringParts(
    needs.filter((name) => !(name in COMPILED)),
    { onProgress: progress },
  );
  if (parts.missing && !allowMissing) fail(`${parts.missing}. (--allow-missing runs the other suites.)`);
  if (parts.missing) console.log(parts.missing);
  const compiled = Object.fromEntries(
    needs.filter((name) => name in COMPILED).map((name) => [name, parts.ready('go').then(COMPILED[name])]),
  );
  // The suite that needs a part reports why it is not there.
  for (const promise of [parts.all, ...Object.values(compiled)]) promise.catch(() => undefined);
  const ready = async (names) => {
    await parts.ready(...names.filter((name) => !(name in COMPILED)));
    await Promise.all(names.map((name) => compiled[name]));
  };
  return { ready };
}

/** Runs the suites, beside and after each other as they say; the rows are in the order of the suites. */
async function runAll(chosen, parts, options) {
  const running = new Map();
  const begin = (suite) => {
    if (running.has(suite)) return running.get(suite);
    const started = Date.now();
    const ended = runSuite(suite, parts, options).then((result) => ({
      result,
      seconds: (Date.now() - started) / 1000,
    }));
    running.set(suite, ended);
    for (const other of chosen) {
      if (other.beside === suite.name) void begin(other);
      if (other.after === suite.name) void ended.then(() => begin(other));
    }
    return ended;
  };
  for (const suite of chosen) if (suite.isStatic) void begin(suite);
  const rows = [];
  for (const suite of chosen) {
    progress(`── ${suite.name} ${'─'.repeat(60 - suite.name.length)}`);
    const { result, seconds } = await begin(suite);
    rows.push({ name: suite.name, budgetSeconds: suite.budgetSeconds, ...result, seconds });
    for (const note of [...result.notes, ...result.missing]) console.log(indent(note));
    progress(`${suite.name}: ${counts(result)} (${seconds.toFixed(1)} s of ${suite.budgetSeconds} s)`);
  }
  return rows;
}

/** Runs one suite; an error that keeps it from running is a failure, a part that may be missing skips its files. */
async function runSuite(suite, parts, { allowMissing }) {
  try {
    await parts.ready(suite.needs ?? []);
    return await suite.run(suite);
  } catch (error) {
    if (allowMissing && error instanceof MissingPart)
      return { ...nothing(), skipped: Math.max(1, suite.files.length), missing: [error.message] };
    const note = error instanceof MissingPart ? error.message : (error.stack ?? error.message);
    return { ...nothing(), failed: 1, notes: [note] };
  }
}

/**
 * Describes the source of the recorded markets of the tests. They always run: the bundled recordings come with the
 * project.
 */
function describeRecordings() {
  const given = process.env.MARKET_DATA_DIR;
  if (given) {
    if (!existsSync(given)) fail(`MARKET_DATA_DIR names ${given}, which does not exist.`);
    process.env.MARKET_DATA_DIR = resolve(given);
    return `Recorded markets: ${given} (MARKET_DATA_DIR).`;
  }
  const beside = join(root, '..', 'shared', 'data');
  if (existsSync(beside)) {
    process.env.MARKET_DATA_DIR = beside;
    return 'Recorded markets: ../shared/data.';
  }
  return 'Recorded markets: those bundled with the project (neither MARKET_DATA_DIR nor ../shared/data is there).';
}
