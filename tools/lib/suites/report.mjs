// The summary at the end of `npm test`.
import { relative } from 'node:path';
import { root } from '../clone.mjs';
import { logDir } from './places.mjs';
import { counts, indent, inShort, nothing, sum } from './result.mjs';

const SLOWEST_FILES = 10;

/**
 * Prints the time of each suite beside its budget, the slowest files, what did not run and why, the failures once more,
 * and the count as the last line. Gives the exit code.
 *
 * @param {readonly (readonly object[])[]} runs rows of suites, by run
 * @param {{ left: readonly string[], notes: readonly string[], inCi: boolean, repeat: number }} facts
 */
export function printSummary(runs, { left, notes, inCi, repeat }) {
  const rows = runs.flat();
  const total = rows.reduce(sum, nothing());
  printTable(rows);
  const slowest = [...total.files].sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST_FILES);
  if (slowest.length > 0) console.log('\nThe slowest files:');
  for (const { run, file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(6)} s  ${file} (${run})`);
  if (repeat > 1) printRepeats(runs);
  console.log('');
  for (const note of notes) console.log(note);
  for (const sentence of left) console.log(`Not run: ${sentence}.`);
  for (const row of rows) {
    if (row.failed === 0) continue;
    console.log(`FAILED  ${row.name}; the details are above and in ${relative(root, logDir)}/`);
    for (const note of row.notes) console.log(indent(inShort(note)));
  }
  for (const row of rows)
    if (row.skipped > 0)
      for (const note of row.missing.length > 0 ? row.missing : ['tests that are marked as skipped'])
        console.log(`SKIPPED ${row.name}: ${note}`);
  if (inCi && total.skipped > 0) console.log('Nothing may be skipped in CI.');
  console.log(counts(total));
  return total.failed > 0 || (inCi && total.skipped > 0) || total.passed === 0 ? 1 : 0;
}

function printTable(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  console.log(`\n${'suite'.padEnd(width)}  passed  failed  skipped      time   budget`);
  for (const { name, passed, failed, skipped, seconds, budgetSeconds } of rows)
    console.log(
      `${name.padEnd(width)}  ${String(passed).padStart(6)}  ${String(failed).padStart(6)}  ` +
        `${String(skipped).padStart(7)}  ${seconds.toFixed(1).padStart(6)} s  ${String(budgetSeconds).padStart(5)} s`,
    );
}

/** In how many of the runs each file failed. */
function printRepeats(runs) {
  const failures = new Map();
  for (const rows of runs)
    for (const { file, failed } of rows.flatMap((row) => row.files))
      failures.set(file, (failures.get(file) ?? 0) + (failed > 0 ? 1 : 0));
  console.log('\nRepeated files:');
  for (const [file, count] of failures) console.log(`failed in ${count} of ${runs.length} runs  ${file}`);
}
