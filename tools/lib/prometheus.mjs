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

/** The Debian package of each program. */
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

/** Runs a program; returns its exit code and both outputs in their order. */
function ask(name, args) {
  const both = ['-c', 'exec "$0" "$@" 2>&1', programOf(name), ...args];
  const { status, stdout, error } = spawnSync('sh', both, { encoding: 'utf8', timeout: FETCH_MS_MAX });
  if (error) throw error;
  return { status, said: stdout };
}

/** Returns the problems that `promtool test rules` finds in these files; '' if there are none. */
export function ruleProblems(files) {
  const { status, said } = ask('promtool', ['test', 'rules', ...files]);
  return status === 0 ? '' : said;
}

/** Returns the problems that `amtool check-config` finds in Alertmanager's file; '' if there are none. */
export function routingProblems(file) {
  const { status, said } = ask('amtool', ['check-config', file]);
  return status === 0 ? '' : said;
}

/** Returns the names of the receivers of an alert with these labels, in order. */
export function receiversOf(file, labels) {
  const told = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  const { said } = ask('amtool', ['config', 'routes', 'test', '--config.file', file, ...told]);
  // The lines above are a warning that no Alertmanager is queried.
  return said.trim().split('\n').at(-1).split(',');
}
