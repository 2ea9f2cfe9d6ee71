// Tests in a real browser, by Playwright: runs its files in a child process and counts what it reports.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { program, progress, root } from '../clone.mjs';
import { testDir } from './places.mjs';
import { indent, nothing, sum } from './result.mjs';
import { command, LANE_MS_MAX } from './run.mjs';

/** Files that run alone: they change the exchange for all users, or move its clock. */
const ALONE = /\.alone\.(?:full\.)?browser\.test\.ts$/;
const WORKERS = 2;

/**
 * Runs the files side by side on one exchange, then those that must be alone, one after another. `env` names the
 * exchange (`BOURSE_URL`) and the browser (`CHROMIUM_PATH`).
 */
export async function runBrowserFiles(files, name, env) {
  const alone = files.filter((file) => ALONE.test(file));
  const shared = files.filter((file) => !ALONE.test(file));
  const first = await playwright(shared, name, env, WORKERS);
  return sum(first, await playwright(alone, `${name}-alone`, env, 1));
}

/** Runs the files one after another in the given order, each in a process of its own. */
export async function runBrowserFilesInOrder(files, name, env) {
  let result = nothing();
  for (const [at, file] of files.entries()) result = sum(result, await playwright([file], `${name}-${at}`, env, 1));
  return result;
}

async function playwright(files, name, env, workers) {
  if (files.length === 0) return nothing();
  const report = join(testDir, `${name}.json`);
  rmSync(report, { force: true });
  const started = Date.now();
  const alive = setInterval(() => progress(`  … ${name}, ${Math.round((Date.now() - started) / 1000)} s`), 20_000);
  let ended;
  try {
    ended = await command(`playwright-${name}`, [program('@playwright/test', 'playwright'), 'test'], {
      env: {
        NODE_ENV: 'test',
        ...env,
        BROWSER_FILES: JSON.stringify(files),
        BROWSER_REPORT: report,
        BROWSER_WORKERS: String(workers),
        FORCE_COLOR: '0',
      },
      timeoutMs: LANE_MS_MAX,
    });
  } finally {
    clearInterval(alive);
  }
  return resultOf(existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined, name, files, ended);
}

/** Counts the results in a report of Playwright; without one, or with errors outside of tests, the run has failed. */
export function resultOf(report, name, files, { code, signal, output }) {
  if (report === undefined)
    return {
      ...nothing(),
      failed: 1,
      notes: [`Playwright ended without a result (${signal ?? `code ${code}`}):\n${output.slice(-4000)}`],
    };
  const result = { ...nothing(), notes: report.errors.map((error) => `FAIL ${name}\n${indent(essence(error))}`) };
  result.failed = report.errors.length;
  /** When the tests of each file began and ended. */
  const spans = new Map();
  const failedFiles = new Set();
  for (const { suite, spec, title } of report.suites.flatMap((one) => specsOf(one)))
    for (const { results, status } of spec.tests) {
      const file = fileOf(report, suite);
      const times = results.map(({ startTime, duration }) => [Date.parse(startTime), Date.parse(startTime) + duration]);
      spans.set(file, [...(spans.get(file) ?? []), ...times.flat()]);
      if (status === 'expected') result.passed += 1;
      else if (status === 'skipped') result.skipped += 1;
      else {
        result.failed += 1;
        failedFiles.add(file);
        const errors = results.flatMap((one) => one.errors);
        result.notes.push(`FAIL ${file}`, indent(`✕ ${title}\n${indent(errors.map(essence).join('\n'))}`));
      }
    }
  // A file that has no test, or could not be loaded, proves nothing.
  for (const file of files.filter((one) => !spans.get(one)?.length)) {
    result.failed += 1;
    result.notes.push(`FAIL ${file}: none of its tests ran`);
  }
  if (result.failed === 0 && code !== 0) {
    result.failed = 1;
    result.notes.push(`Playwright says that the run failed (${signal ?? `code ${code}`}):\n${output.slice(-4000)}`);
  }
  result.files = [...spans].map(([file, times]) => ({
    run: name,
    file,
    seconds: times.length === 0 ? 0 : (Math.max(...times) - Math.min(...times)) / 1000,
    failed: failedFiles.has(file) ? 1 : 0,
  }));
  return result;
}

/** The tests of a suite and of those inside it, each with its full title. */
function specsOf(suite, titles = []) {
  const own = (suite.specs ?? []).map((spec) => ({ suite, spec, title: [...titles, spec.title].join(' ') }));
  const inner = (suite.suites ?? []).flatMap((one) => specsOf(one, [...titles, one.title]));
  return [...own, ...inner];
}
const fileOf = ({ config }, { file }) => relative(root, join(config.rootDir, file)).split(sep).join('/');

/** A failure without colours, frames of libraries and long output. */
const essence = ({ message = '', stack = '' }) =>
  stripVTControlCharacters(
    `${message}\n${stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n')}`,
  )
    .split('\n')
    .filter((line) => !/^\s+at .*(node_modules|node:internal)/.test(line) && line.trim() !== '')
    .slice(0, 20)
    .map((line) => line.slice(0, 400))
    .join('\n');
