// Type check beside `npm run dev`: reported when it is done, never waited for.
import { createInterface } from 'node:readline';
import { node24, program, progress, root } from '../clone.mjs';
import { signalGroup, startProcess } from '../processes.mjs';

/** Stands back for everything else: a change is seen before its types are. */
const NICENESS = 15;

/**
 * Checks the types of all packages, and again after each change; reports errors, or that there are none. `pause` stops
 * it where it is, `resume` continues it: two busy programs share a core's cache, whatever their priorities.
 */
export function watchTypes() {
  const handle = startProcess(
    node24,
    [program('typescript', 'tsc'), '-b', '--watch', '--preserveWatchOutput', '--pretty', 'false'],
    { name: 'types', cwd: root, env: process.env, niceness: NICENESS },
  );
  const { child } = handle;
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/error TS\d+/.test(line)) progress(`types: ${line}`);
    const found = /Found (\d+) errors?/.exec(line)?.[1];
    if (found) progress(found === '0' ? 'types: right' : `types: ${found} wrong`);
  });
  child.stderr.resume();
  const tell = (signal) => {
    if (process.platform !== 'win32' && !handle.over) signalGroup(handle.pid, signal);
  };
  return { pause: () => tell('SIGSTOP'), resume: () => tell('SIGCONT') };
}
