// The package managers of the system: which one there is, what it calls a program, and whether we may use it.
import { spawnSync } from 'node:child_process';
import { onPath } from '../processes.mjs';

/** The name of a program's package, by package manager. */
const PACKAGES = {
  Alertmanager: { brew: 'alertmanager', apt: 'prometheus-alertmanager', dnf: 'golang-github-prometheus-alertmanager' },
  Chromium: { brew: '--cask chromium', apt: 'chromium', dnf: 'chromium-headless' },
  Docker: { brew: '--cask docker-desktop', apt: 'docker.io', dnf: 'moby-engine docker-cli' },
  Go: { brew: 'go', apt: 'golang-go', dnf: 'golang' },
  hledger: { brew: 'hledger', apt: 'hledger', dnf: 'hledger' },
  Java: { brew: 'openjdk', apt: 'default-jre-headless', dnf: 'java-latest-openjdk-headless' },
  Prometheus: { brew: 'prometheus', apt: 'prometheus', dnf: 'golang-github-prometheus' },
  Python: { brew: 'python', apt: 'python3-pip', dnf: 'python3-pip' },
  Redis: { brew: 'redis', apt: 'redis-server', dnf: 'valkey' },
};
/** The shell of Chromium without windows, which Debian has beside it: a third less of the processor's time. */
export const HEADLESS_SHELL = 'chromium-headless-shell';

const INSTALL = { apt: 'apt-get install -y', dnf: 'dnf install -y', brew: 'brew install' };

/** An installation that is broken off leaves packages half configured. */
const INSTALL_MS_MAX = 45 * 60_000;

/** Returns the package manager of this machine; if none is known, the most common one. */
function findManager() {
  if (process.platform === 'darwin') return 'brew';
  if (onPath('apt-get')) return 'apt';
  return onPath('dnf') ? 'dnf' : 'apt';
}

/** The packages that hold these programs, by the names of `manager`. */
export const packagesOf = (names, manager) => names.flatMap((name) => PACKAGES[name][manager].split(' '));

/** The one command that installs these programs on this machine. */
export const installCommand = (...names) => commandOf(names, findManager());

/** The same for a machine whose package manager is `manager`. */
export const commandOf = (names, manager) =>
  `${INSTALL[manager]} ${names.map((name) => PACKAGES[name][manager]).join(' ')}`;

/**
 * How this machine can be given programs: its package manager, and with which rights it may be used: `root`, `sudo`
 * without a password, `own` where it needs none, or `none`.
 *
 * @returns {{ platform: string, manager: string, rights: 'root' | 'sudo' | 'own' | 'none', hasPip: boolean }}
 */
export function describeMachine() {
  const manager = findManager();
  const program = { apt: 'apt-get', dnf: 'dnf', brew: 'brew' }[manager];
  const succeeds = (command, args) => spawnSync(command, args, { stdio: 'ignore', timeout: 10_000 }).status === 0;
  const rights = () => {
    if (!onPath(program)) return 'none';
    if (manager === 'brew') return 'own';
    if (process.getuid?.() === 0) return 'root';
    return onPath('sudo') && succeeds('sudo', ['-n', 'true']) ? 'sudo' : 'none';
  };
  return {
    platform: `${process.platform}-${process.arch}`,
    manager,
    hasApt: onPath('apt-get') !== undefined && onPath('dpkg') !== undefined,
    // Chromium of Ubuntu is a snap, which does not start in containers.
    isUbuntu: succeeds('grep', ['-q', '^ID=ubuntu', '/etc/os-release']),
    rights: rights(),
    hasPip: onPath('python3') !== undefined && succeeds('python3', ['-m', 'pip', '--version']),
  };
}

/**
 * Installs programs by the system's package manager.
 *
 * @param {(name: string, command: string[], options?: object) => Promise<void>} run throws when the command fails
 */
export async function installPrograms(names, { manager, rights }, run) {
  const command = (...args) => [
    ...(rights === 'sudo' ? ['sudo', '-n', 'env', 'DEBIAN_FRONTEND=noninteractive'] : []),
    ...args,
  ];
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: INSTALL_MS_MAX };
  const packages = packagesOf(names, manager);
  if (manager !== 'apt') return run('install-parts', command(...INSTALL[manager].split(' '), ...packages), options);
  await run('apt-update', command('apt-get', 'update'), options);
  const isKnown = (name) => /^Package: /m.test(spawnSync('apt-cache', ['show', name], { encoding: 'utf8' }).stdout);
  const wanted = packages.flatMap((name) => {
    if (name === PACKAGES.Chromium.apt && isKnown(HEADLESS_SHELL)) return [HEADLESS_SHELL];
    // Since Debian 13 the client has a package of its own.
    return name === PACKAGES.Docker.apt && isKnown('docker-cli') ? [name, 'docker-cli'] : [name];
  });
  await run('install-parts', command('apt-get', 'install', '-y', '--no-install-recommends', ...wanted), options);
}
