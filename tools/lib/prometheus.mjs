// Prometheus' own programs: promtool evaluates alerts as Prometheus does, amtool reads Alertmanager's file as it does.
// The machine's own, or out of Debian's packages, which apt checks by their signature and which are not installed. Go
// would compile each out of 1,200 packages and 900 MB of modules.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from './clone.mjs';
import { MissingPart } from './missing.mjs';
import { installCommand } from './parts/system.mjs';
import { onPath } from './processes.mjs';

/** By program, the package of Debian that has it, and what it is a part of. */
const PACKAGES = { promtool: 'prometheus', amtool: 'prometheus-alertmanager' };
const PARTS = { promtool: 'Prometheus', amtool: 'Alertmanager' };
const FETCH_MS_MAX = 5 * 60_000;

/** Path of a program; some 20 MB come over the network the first time. @throws MissingPart where it cannot be had. */
function programOf(name) {
  const own = onPath(name);
  if (own) return own;
  const kept = join(cacheDir, 'tools', PACKAGES[name]);
  const program = join(kept, 'usr', 'bin', name);
  if (!existsSync(program)) unpack(name, kept);
  return program;
}

function unpack(name, kept) {
  const building = `${kept}.new-${process.pid}`;
  mkdirSync(building, { recursive: true });
  const run = (program, args) => {
    const { status, stderr, error } = spawnSync(program, args, {
      cwd: building,
      encoding: 'utf8',
      timeout: FETCH_MS_MAX,
    });
    if (status !== 0)
      throw new MissingPart(name, installCommand(PARTS[name]), error?.message ?? stderr.trim().split('\n').at(-1));
  };
  try {
    run('apt-get', ['download', PACKAGES[name]]);
    const archive = readdirSync(building).find((file) => file.endsWith('.deb'));
    run('dpkg', ['-x', archive, '.']);
    rmSync(kept, { recursive: true, force: true });
    renameSync(building, kept);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

/** What a program says, on both of its outputs in the order in which it says it, and how it ends. */
function ask(name, args) {
  const both = ['-c', 'exec "$0" "$@" 2>&1', programOf(name), ...args];
  const { status, stdout, error } = spawnSync('sh', both, { encoding: 'utf8', timeout: FETCH_MS_MAX });
  if (error) throw error;
  return { status, said: stdout };
}

/** What `promtool test rules` says of these files, one after the other; nothing wrong: ''. */
export function ruleProblems(files) {
  const { status, said } = ask('promtool', ['test', 'rules', ...files]);
  return status === 0 ? '' : said;
}

/** What `amtool check-config` says of Alertmanager's file; nothing wrong: ''. */
export function routingProblems(file) {
  const { status, said } = ask('amtool', ['check-config', file]);
  return status === 0 ? '' : said;
}

/** Names of the receivers whom an alert with these labels reaches, in order. */
export function receiversOf(file, labels) {
  const told = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  const { said } = ask('amtool', ['config', 'routes', 'test', '--config.file', file, ...told]);
  // Above them it warns that no Alertmanager is asked.
  return said.trim().split('\n').at(-1).split(',');
}
