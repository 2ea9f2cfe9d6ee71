// `npm test [-- options] [suite or file …]`: from a fresh clone to all checks of a change; `npm run test:full` adds
// what is slow and changes seldom. Runs on Node 20 too until it has installed Node 24.
import { fileURLToPath } from 'node:url';
import { become, checkReachable, ensureBuilt, ensureInstalled, fail, underNode24 } from './lib/clone.mjs';
import { PROGRAMS } from './lib/services.mjs';
import { readEarlyOptions, USAGE, UsageError } from './lib/suites/options.mjs';

// The last line is always the count, also when not even the packages could be installed or built.
let counted = false;
process.on('exit', (code) => {
  if (!counted && code !== 0) console.log('0 passed, 1 failed, 0 skipped');
});

const args = process.argv.slice(2);
try {
  if (readEarlyOptions(args).help) {
    console.log(USAGE);
    process.exit(0);
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  fail(error.message);
}
checkReachable();
await ensureInstalled();
if (!underNode24()) {
  counted = true; // by the process that follows
  become([fileURLToPath(import.meta.url), ...args]);
} else {
  const { prepareRun } = await import('./lib/suites.mjs');
  try {
    const run = await prepareRun(args);
    await ensureBuilt(PROGRAMS);
    const code = await run();
    counted = true;
    process.exit(code);
  } catch (error) {
    fail(error.stack ?? String(error));
  }
}
