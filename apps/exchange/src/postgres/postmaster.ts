import { spawnSync } from 'node:child_process';
import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries } from './programs.js';
import { processIdentity, readOrEmpty } from './owner.js';
import { OWN_FOLDER } from './run-as.js';

const STOP_MS_MAX = 30_000;

/** Ends a server that still runs on the folder after its owner was killed. Without one it does nothing. */
export async function stopLeftover(dataDir: string): Promise<void> {
  const clusterDir = join(resolve(dataDir), 'postgres');
  const pid = postmasterPid(clusterDir);
  // A stale pid file: the server removes it itself at its start.
  if (pid === undefined || !isOurPostmaster(pid, clusterDir)) return;
  await endServer(pid, () => isOurPostmaster(pid, clusterDir), clusterDir);
}

/** Ends the server and waits until it is gone. @throws Error when it does not stop. */
export async function endServer(pid: number, alive: () => boolean, clusterDir: string): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one (as after a crash: the next start recovers from the
  // log).
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (process.platform === 'win32')
      spawnSync((await findBinaries()).pg_ctl, [
        'stop',
        '-D',
        clusterDir,
        '-m',
        signal === 'SIGINT' ? 'fast' : 'immediate',
      ]);
    else if (!signalled(pid, signal)) return;
    const deadline = Date.now() + STOP_MS_MAX;
    while (alive() && Date.now() < deadline) await sleep(20);
    if (!alive()) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) on ${clusterDir} does not stop.`);
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

function postmasterPid(clusterDir: string): number | undefined {
  const lines = readPidFile(clusterDir);
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

/** Whether the pid file of the server with this pid marks it as ready for connections. */
export function isReady(clusterDir: string, pid: number | undefined): boolean {
  const lines = readPidFile(clusterDir);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

function readPidFile(clusterDir: string): string[] {
  const file = join(clusterDir, 'postmaster.pid');
  return existsSync(file) ? readOrEmpty(file).split('\n') : [];
}

/**
 * True if the process lives and was started on this very cluster: the pid in a stale file may belong to another process
 * by now.
 */
function isOurPostmaster(pid: number, clusterDir: string): boolean {
  if (process.platform === 'win32') return processIdentity(pid) !== undefined;
  const command = existsSync('/proc/self/cmdline')
    ? readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
    : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  if (command.includes(`-D ${OWN_FOLDER} `)) return linkOrEmpty(`/proc/${pid}/cwd`) === realpathSync(clusterDir);
  return command.includes(`-D ${clusterDir} `);
}

function linkOrEmpty(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return '';
    throw error;
  }
}
