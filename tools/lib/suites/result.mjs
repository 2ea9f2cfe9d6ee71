// The result of a suite.
import { MissingPart } from '../missing.mjs';

/**
 * A result: counts, texts about failures (`notes`), missing parts (`missing`), and for each test file its duration and
 * whether it failed (`files`).
 */
export const nothing = () => ({ passed: 0, failed: 0, skipped: 0, notes: [], missing: [], files: [] });

export const counts = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;
export const indent = (text) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

const LINES_IN_SHORT = 6;
const COLUMNS_IN_SHORT = 160;
/** The short form of a note, repeated beside the last line, so that the end of a log shows what failed and why. */
export const inShort = (note) =>
  note
    .split('\n')
    .slice(0, LINES_IN_SHORT)
    .map((line) => line.slice(0, COLUMNS_IN_SHORT))
    .join('\n');

export const sum = (one, other) => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  notes: [...one.notes, ...other.notes],
  missing: [...one.missing, ...other.missing],
  files: [...one.files, ...other.files],
});

/** Runs a part of a suite: what keeps it from running is one failure, and what the other parts found still counts. */
export async function attempt(run) {
  try {
    return await run();
  } catch (error) {
    if (error instanceof MissingPart) throw error;
    return { ...nothing(), failed: 1, notes: [error.message] };
  }
}
