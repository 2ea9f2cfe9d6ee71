// The books that ours is measured against. Each is fetched as a package and built in .cache/bench, never in the
// tree; a peer whose tools or package are unavailable is listed with the reason instead of a figure.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { cacheDir } from '../../tools/lib/clone.mjs';
import { findGo } from '../../tools/lib/go.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const bench = join(cacheDir, 'bench');

/** The reason of a download that failed. */
const FETCH_FAILED = 'the module could not be fetched';

/** A failed step of a peer's build; its message says what is missing. */
export class PeerMissing extends Error {}

/**
 * The line of a program's output that says why it failed, without colour. A line with an address is a failed download;
 * its text differs between machines, and the result is kept in a file of the tree.
 */
export function reasonIn(output) {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const reason = lines.find((line) => /error|not |forbidden|fail/i.test(line)) ?? lines[0] ?? 'no reason given';
  return /https?:\/\//.test(reason) ? FETCH_FAILED : reason;
}

/** The reason, after the name of the program unless a download failed. */
function failureOf(program, output) {
  const reason = reasonIn(output);
  return reason === FETCH_FAILED ? reason : `${basename(program)}: ${reason}`;
}

function run(program, args, options) {
  const done = spawnSync(program, args, { encoding: 'utf8', ...options });
  if (done.error) throw new PeerMissing(`no ${program} on this machine`);
  if (done.status !== 0) throw new PeerMissing(failureOf(program, `${done.stderr}\n${done.stdout}`));
  return done.stdout;
}

/** Gives the folder of a peer's build, made by `build(folder)` when its sources are new; whole or not at all. */
function built(name, sources, build) {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(source));
  const folder = join(bench, `${name}-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const building = `${folder}.new-${process.pid}`;
  mkdirSync(building, { recursive: true });
  try {
    build(building);
    renameSync(building, folder);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  return folder;
}

function exchangeCore() {
  const own = join(here, 'peers', 'exchange-core');
  const pom = join(own, 'pom.xml');
  const source = join(own, 'ExchangeCorePeer.java');
  run('java', ['-version']);
  const folder = built('exchange-core', [pom, source], (building) => {
    run('mvn', [
      '-q',
      '-B',
      '-f',
      pom,
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${join(building, 'jars')}`,
    ]);
    run('javac', ['-cp', join(building, 'jars', '*'), '-d', join(building, 'classes'), source]);
  });
  return {
    program: 'java',
    args: [
      '-XX:+UseParallelGC',
      '-cp',
      [join(folder, 'classes'), join(folder, 'jars', '*')].join(delimiter),
      'ExchangeCorePeer',
    ],
  };
}

function goOrMissing() {
  try {
    return findGo('geseq is built by it');
  } catch (error) {
    throw new PeerMissing(error.message);
  }
}

function geseq() {
  const own = join(here, 'peers', 'geseq');
  const go = goOrMissing();
  const env = { ...process.env, GOPATH: join(bench, 'go'), GOFLAGS: '-modcacherw', GOWORK: 'off' };
  const folder = built('geseq', [join(own, 'main.go')], (building) => {
    cpSync(join(own, 'main.go'), join(building, 'main.go'));
    const step = (...args) => run(go, args, { cwd: building, env });
    step('mod', 'init', 'peer');
    step('get', 'github.com/geseq/orderbook@latest');
    step('mod', 'tidy');
    step('build', '-o', 'peer', '.');
  });
  return { program: join(folder, 'peer'), args: [] };
}

function nodejsOrderBook() {
  return { program: process.execPath, args: ['--expose-gc', join(here, 'bench.mjs'), 'core-nodejs-order-book'] };
}

/**
 * `goal`: how many times its rate ours must reach. `warm`, `runs`: replays before and while measuring; the slow peer is
 * measured once a process.
 */
export const PEERS = [
  {
    name: 'exchange-core',
    version: '0.5.3',
    language: 'Java',
    from: 'Maven',
    goal: 2.5,
    warm: 2,
    runs: 3,
    prepare: exchangeCore,
  },
  {
    name: 'geseq/orderbook',
    version: 'latest',
    language: 'Go',
    from: 'Go modules',
    goal: 4,
    warm: 2,
    runs: 3,
    prepare: geseq,
  },
  {
    name: 'nodejs-order-book',
    version: '10.1.1',
    language: 'JavaScript',
    from: 'npm',
    goal: 150,
    warm: 0,
    runs: 1,
    prepare: nodejsOrderBook,
    note:
      'a result lists only the orders that an order met, so neither the ids of a ' +
      'trade nor the number of resting orders can be told',
  },
];
