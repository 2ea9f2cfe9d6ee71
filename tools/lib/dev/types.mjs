// Types beside `npm run dev`: told when they are known, never waited for.
import { createInterface } from 'node:readline';
import { node24, program, progress, root } from '../clone.mjs';
import { startProcess } from '../processes.mjs';

/** Stands back for everything else: a change is seen before its types are. */
const NICENESS = 15;

/** Checks the types of all packages, and again after each change; says what is wrong, and when nothing is. */
export function watchTypes() {
  const { child } = startProcess(
    node24,
    [program('typescript', 'tsc'), '-b', '--watch', '--preserveWatchOutput', '--pretty', 'false'],
    { name: 'types', cwd: root, env: process.env, niceness: NICENESS },
  );
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/error TS\d+/.test(line)) progress(`types: ${line}`);
    const found = /Found (\d+) errors?/.exec(line)?.[1];
    if (found) progress(found === '0' ? 'types: right' : `types: ${found} wrong`);
  });
  child.stderr.resume();
}
