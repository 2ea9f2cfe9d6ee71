// npm run bench:all. Every measurement, one after the other, in about a quarter of an hour; then the report. One that
// fails does not stop the others.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { progress, root } from '../tools/lib/clone.mjs';

const MINUTES_MAX = 5;
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const loadtest = (...args) => ['loadtest', ...args];
const ALL = [
  ['bench:book'],
  ['bench:ledger'],
  ['bench:micro'],
  ['bench:savings'],
  ['bench:team'],
  ['bench:risk'],
  ['bench:pipeline'],
  ['bench:terminal'],
  loadtest('orders'),
  loadtest('keyed'),
  loadtest('many', '--duration', '10'),
  loadtest('bursts', '--duration', '10'),
  loadtest('day', '--duration', '15'),
  loadtest('sockets'),
  loadtest('signin', '--duration', '10'),
  loadtest('scale'),
  loadtest('memory', '--duration', '15'),
  loadtest('restart'),
  loadtest('soak', '--duration', '60'),
  loadtest('orders', '--distributed'),
  loadtest('sockets', '--distributed'),
];
const failed = [];
for (const [script, ...args] of ALL) {
  const name = [script, ...args].join(' ');
  if (scripts[script] === undefined) {
    progress(`${name}: there is no such script in this tree.`);
    continue;
  }
  progress(`${name} …`);
  const { status } = spawnSync('npm', ['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    timeout: MINUTES_MAX * 60_000,
  });
  if (status !== 0) failed.push(name);
}
const { status } = spawnSync('npm', ['run', '--silent', 'bench:report'], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (status !== 0) failed.push('bench:report');
progress(failed.length === 0 ? 'All measured and reconciled.' : `Failed: ${failed.join('; ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
