import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface Stored {
  port: number;
  password: string;
  owner?: Owner;
}
/** Which process started the server: a pid alone may have been given to another process since. */
interface Owner {
  pid: number;
  identity: string;
}

/** Process id of the living process that owns this data folder, or undefined. */
export function livingOwner(dataDir: string): number | undefined {
  const owner = readStored(resolve(dataDir))?.owner;
  return owner && processIdentity(owner.pid) === owner.identity ? owner.pid : undefined;
}

/**
 * A text that no other process with this pid ever has: its start time and, on Linux, the boot. Undefined if it does not
 * live.
 */
export function processIdentity(pid: number): string | undefined {
  if (existsSync('/proc/self/stat')) {
    // Fields are counted after the last ')': the program's name may hold blanks. Third: state, 22nd: start time.
    const fields = readOrEmpty(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields.length > 19 && fields[0] !== 'Z'
      ? `${readOrEmpty('/proc/sys/kernel/random/boot_id').trim()}:${fields[19]}`
      : undefined;
  }
  if (process.platform === 'win32') return isAlive(pid) ? 'alive' : undefined;
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim() || undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** This process as the owner of a folder. */
export function selfAsOwner(): Owner {
  return { pid: process.pid, identity: processIdentity(process.pid) ?? '' };
}

/** The folder is free for another process again; port and password stay. */
export function disown(dataDir: string): void {
  const stored = readStored(dataDir);
  if (stored) writeStored(dataDir, { port: stored.port, password: stored.password });
}

/** Port, password and owner as `postgres.json` has them. */
export function readStored(dataDir: string): Stored | undefined {
  const file = join(dataDir, 'postgres.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stored) : undefined;
}

/** Replaces `postgres.json` in one step. */
export function writeStored(dataDir: string, stored: Stored): void {
  const file = join(dataDir, 'postgres.json');
  writeFileSync(`${file}.new`, `${JSON.stringify(stored)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Reads a file that may vanish at any time (a pid file, an entry of /proc); a missing file reads as empty. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}
