// Programs and Jest, run and counted.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { cloneEnv, node24, program, progress, root } from '../clone.mjs';
import { startProcess, stopAll } from '../processes.mjs';
import { logDir, testDir } from './places.mjs';
import { indent, nothing } from './result.mjs';

const SUITE_MS_MAX = 15 * 60_000;
/** A lane of two computes for some ten minutes on quiet cores: the bound of a suite would cut it on busy ones. */
export const LANE_MS_MAX = 35 * 60_000;

/** Runs a program of Node with its output in a log of the suites. */
export async function command(name, args, { env, niceness, timeoutMs = SUITE_MS_MAX } = {}) {
  const log = join(logDir, `${name}.log`);
  rmSync(log, { force: true });
  const handle = startProcess(node24, args, { name, cwd: root, env: cloneEnv(env), log, niceness });
  const timer = setTimeout(() => {
    handle.stop(1000);
  }, timeoutMs);
  const { code, signal } = await handle.exited;
  clearTimeout(timer);
  return { ok: code === 0, code, signal, output: readFileSync(log, 'utf8') };
}

// ── Jest ──

/** The order in which Jest runs test files. */
const sequencer = (name) => join(root, 'tools', 'lib', 'suites', `${name}.mjs`);

/**
 * Runs Jest on exactly these files and counts its tests. A file that could not run at all counts as one failure.
 * `more`: `niceness` and `timeoutMs`, as of `command`, and `workers`, how many files share an exchange at a time.
 */
export async function jest(files, name, env = {}, { workers: sharing = 1, ...more } = {}) {
  if (files.length === 0) return nothing(); // a lane without a file of this run
  const factor = Number(process.env.TIME_FACTOR ?? 1);
  // The limit ends a test that hangs; it does not measure one. Properties draw ten times as many cases in the full run.
  const testMsMax = Math.round((process.env.TEST_FULL ? 150_000 : 120_000) * factor);
  // Files on one exchange run one after another, each time in the same order, unless their suite says that they share
  // it; those that start servers of their own wait for them most of the time.
  const workers =
    'BOURSE_URL' in env || 'FAULTS_ALONE' in env
      ? [`--maxWorkers=${sharing}`, `--testSequencer=${sequencer(sharing > 1 ? 'longest-first' : 'in-order')}`]
      : name === 'integration'
        ? ['--maxWorkers=3', `--testSequencer=${sequencer('longest-first')}`]
        : [];
  const outputFile = join(testDir, `${name}.json`);
  rmSync(outputFile, { force: true });
  const started = Date.now();
  const alive = setInterval(() => progress(`  … ${name}, ${Math.round((Date.now() - started) / 1000)} s`), 20_000);
  let result;
  try {
    result = await command(
      `jest-${name}`,
      [
        '--experimental-vm-modules',
        '--no-warnings=ExperimentalWarning',
        program('jest'),
        // A test that failed half way may leave its connection open; the run would wait for it until its time is over.
        '--forceExit',
        '--json',
        `--outputFile=${outputFile}`,
        `--testTimeout=${testMsMax}`,
        ...workers,
        '--runTestsByPath',
        ...files,
      ],
      { env: { NODE_ENV: 'test', ...env }, ...more },
    );
  } finally {
    clearInterval(alive);
  }
  if (!existsSync(outputFile))
    return {
      ...nothing(),
      failed: 1,
      notes: [
        `Jest ended without a result (${result.signal ?? `code ${result.code}`}):\n${result.output.slice(-4000)}`,
      ],
    };
  const report = JSON.parse(readFileSync(outputFile, 'utf8'));
  const notes = [];
  for (const file of report.testResults) {
    if (file.status !== 'failed') continue;
    const failures = file.assertionResults.filter((test) => test.status === 'failed');
    notes.push(`FAIL ${relative(root, file.name)}`);
    if (failures.length === 0) notes.push(indent(essence(file.message)));
    for (const test of failures)
      notes.push(indent(`✕ ${test.fullName}\n${indent(essence(test.failureMessages.join('\n')))}`));
  }
  const ran = report.numPassedTests + report.numFailedTests + report.numPendingTests + report.numTodoTests;
  let failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  if (failed === 0 && (!report.success || ran === 0)) {
    failed = 1;
    notes.push(`Jest says that the run failed (code ${result.code}):\n${result.output.slice(-4000)}`);
  }
  return {
    ...nothing(),
    passed: report.numPassedTests,
    failed,
    skipped: report.numPendingTests + report.numTodoTests,
    notes,
    files: report.testResults.map(({ name: file, startTime, endTime, status }) => ({
      run: name,
      file: relative(root, file),
      seconds: (endTime - startTime) / 1000,
      failed: status === 'failed' ? 1 : 0,
    })),
  };
}

/** A failure without colours, frames of libraries and long output. */
const essence = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => !/^\s+at .*(node_modules|node:internal)/.test(line) && line.trim() !== '')
    .slice(0, 20)
    .map((line) => line.slice(0, 400))
    .join('\n');

/** Ends that are due however the run ends. */
export const cleanups = new Set();
export async function cleanUp() {
  for (const end of [...cleanups]) await end();
  await stopAll(5000);
}
