import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Runs a piece of a program in a process of its own: ccxt loads every exchange there is. Answers what it tells. */
export async function inProcess(body: string): Promise<unknown> {
  const helpers = (file: string): string => new URL(file, import.meta.url).href;
  const source = `import { balance, bot, errors, order, settled, stateOf } from '${helpers('./watched.mjs')}';
import { clockwork } from '${helpers('./clock.mjs')}';
const told = {};
${body}
console.log(JSON.stringify(told));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    env: { PATH: process.env['PATH'] },
  });
  return JSON.parse(stdout) as unknown;
}
