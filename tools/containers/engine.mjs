// A container engine with Compose for `npm test -- containers`: the one that answers, else one of this machine's own
// programs, started for the run.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from '../lib/clone.mjs';
import { MissingPart } from '../lib/missing.mjs';
import { onPath, startProcess, waitFor } from '../lib/processes.mjs';

const START_MS_MAX = 60_000;
const RUN_MS_MAX = 30 * 60_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Folder of what is fetched or made for the suite, once. */
export const madeDir = join(cacheDir, 'containers');

/** The outcome of `docker` with these arguments. `options` as of spawnSync. */
export function tryDocker(args, { env, ...options } = {}) {
  const { status, stdout, stderr, error } = spawnSync('docker', args, {
    encoding: 'utf8',
    timeout: RUN_MS_MAX,
    maxBuffer: OUTPUT_BYTES_MAX,
    ...options,
    env: { ...process.env, ...env },
  });
  return { ok: status === 0, stdout: stdout ?? '', stderr: error?.message ?? stderr ?? '' };
}

/** The standard output of `docker` with these arguments. @throws when it fails */
export function docker(args, options) {
  const { ok, stdout, stderr } = tryDocker(args, options);
  if (!ok) throw new Error(`docker ${args.slice(0, 4).join(' ')} failed: ${(stderr || stdout).trim().slice(-4_000)}`);
  return stdout.trim();
}

/**
 * Makes an engine available to this process and its children, by DOCKER_HOST.
 *
 * @param {(text: string) => void} onProgress
 * @returns {Promise<{ how: 'given' | 'started', stop(): Promise<void> }>}
 * @throws MissingPart if none answers and none can be started
 */
export async function openEngine(onProgress) {
  const reason = whyNoEngine();
  if (reason === undefined) return { how: 'given', stop: async () => undefined };
  const program = onPath('dockerd');
  if (!canStart())
    throw new MissingPart(
      'A Docker engine',
      'start Docker, or set DOCKER_HOST; root on Linux may install docker.io, and the suite starts dockerd itself',
      reason,
    );
  const folder = mkdtempSync(join(tmpdir(), 'bourse-engine-'));
  const address = `unix://${join(folder, 'engine.sock')}`;
  const log = join(folder, 'engine.log');
  onProgress('No engine answers: dockerd is started for this run.');
  const handle = startProcess(
    program,
    ['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec'), '-H', address],
    { name: 'dockerd', log },
  );
  const stop = async () => {
    await handle.stop(30_000);
    unmountAll(folder);
    rmSync(folder, { recursive: true, force: true });
  };
  process.env.DOCKER_HOST = address;
  try {
    await waitFor(() => whyNoEngine() === undefined, { timeoutMs: START_MS_MAX, what: 'dockerd to answer', handle });
  } catch (error) {
    const end = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-3).join('\n') : '';
    await stop();
    throw new MissingPart('A Docker engine', 'start Docker, or set DOCKER_HOST', `${error.message}: ${end}`);
  }
  return { how: 'started', stop };
}

/** Ends the mounts that an engine leaves behind: its network, and layers of containers where it was killed. */
function unmountAll(folder) {
  const places = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1])
    .filter((place) => place?.startsWith(`${folder}/`));
  for (const place of places.reverse()) spawnSync('umount', ['--lazy', place], { stdio: 'ignore' });
}

/** Whether this process, as root on Linux, can start an engine of the machine's own programs. */
const canStart = () =>
  Boolean(onPath('docker') && onPath('dockerd')) && process.platform === 'linux' && process.getuid?.() === 0;

/** Whether `openEngine` finds an engine, or can start one. */
export const hasEngine = () => whyNoEngine() === undefined || canStart();

function whyNoEngine() {
  if (!onPath('docker')) return 'there is no docker client';
  const { ok, stdout, stderr } = tryDocker(['info', '--format', '{{.ServerVersion}}'], { timeout: 10_000 });
  return ok && stdout.trim() !== '' ? undefined : stderr.trim().split('\n')[0] || 'no engine answers';
}

/**
 * Makes `docker compose` available to this process and its children. Where the client has no such plugin, it is taken
 * out of an image that `makeImage` makes.
 */
export async function openCompose(makeImage) {
  if (tryDocker(['compose', 'version']).ok) return;
  const folder = join(madeDir, 'client');
  const plugin = join(folder, 'cli-plugins', 'docker-compose');
  if (!existsSync(plugin)) {
    mkdirSync(join(folder, 'cli-plugins'), { recursive: true });
    const container = docker(['create', await makeImage('compose'), 'none']);
    const fetched = `${plugin}.new`;
    docker(['cp', `${container}:/usr/libexec/docker/cli-plugins/docker-compose`, fetched]);
    docker(['rm', container]);
    copyFileSync(fetched, plugin);
    rmSync(fetched);
  }
  process.env.DOCKER_CONFIG = folder;
  docker(['compose', 'version']);
}
