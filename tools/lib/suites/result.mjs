// What a suite gives.

/**
 * A result: counts, what to tell about failures (`notes`), what was missing (`missing`), and how long each test file
 * took (`files`).
 */
export const nothing = () => ({ passed: 0, failed: 0, skipped: 0, notes: [], missing: [], files: [] });

export const counts = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;
export const indent = (text) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

export const sum = (one, other) => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  notes: [...one.notes, ...other.notes],
  missing: [...one.missing, ...other.missing],
  files: [...one.files, ...other.files],
});
