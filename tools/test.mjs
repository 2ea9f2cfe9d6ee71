// `npm test [-- suite …]`: from a fresh clone to all checks. Runs on Node 20 too until it has installed Node 24.
// Without arguments all suites run; with names (`npm test -- unit contract`) only those.
import { fileURLToPath } from 'node:url';
import { become, checkReachable, ensureBuilt, ensureInstalled, fail, underNode24 } from './lib/clone.mjs';
import { PROGRAMS } from './lib/services.mjs';

// The last line is always the count, also when not even the packages could be installed or built.
let counted = false;
process.on('exit', (code) => {
  if (!counted && code !== 0) console.log('0 passed, 1 failed, 0 skipped');
});

checkReachable();
await ensureInstalled();
if (!underNode24()) {
  counted = true; // by the process that follows
  become([fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
} else {
  await ensureBuilt(PROGRAMS);
  const { runSuites } = await import('./lib/suites.mjs');
  runSuites(process.argv.slice(2)).then(
    (code) => {
      counted = true;
      process.exit(code);
    },
    (error) => fail(error.stack ?? String(error)),
  );
}
