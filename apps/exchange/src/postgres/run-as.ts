import { existsSync, readFileSync, statSync, chmodSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The user that runs the server; without ids the current one. */
export interface RunAs {
  uid?: number;
  gid?: number;
  name: string;
}
/** The working directory of a process, reachable whatever the folders above it permit. */
export const OWN_FOLDER = '/proc/self/cwd';

/**
 * Returns the user that runs PostgreSQL, which refuses root: then the owner of the existing cluster, else `postgres`,
 * else `nobody`.
 */
export function findServerUser(clusterDir: string, dataDir: string): RunAs {
  if (process.getuid?.() !== 0) return { name: 'you' };
  if (existsSync(clusterDir)) {
    const { uid, gid } = statSync(clusterDir);
    if (uid !== 0) return { uid, gid, name: `user ${uid}` };
  }
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const row = users.find((user) => user[0] === name);
    if (!row) continue;
    const gid = Number(row[3]);
    chmodSync(dataDir, statSync(dataDir).mode | 0o011); // the server must pass through the folder; it cannot list it
    return { uid: Number(row[2]), gid, name };
  }
  throw new Error(
    'PostgreSQL must not run as root, and there is no user "postgres" or ' +
      '"nobody": run as another user, or set DATABASE_URL.',
  );
}

/**
 * Returns the name of a folder for a server that runs as another user. That user may be unable to pass through a folder
 * above it (a clone in a home of mode 0700). Then no path works, but on Linux the working directory itself does: the
 * server enters it before it becomes that user (docs/decisions/0063).
 */
export function nameFor(runAs: RunAs, folder: string): string {
  return runAs.uid !== undefined && process.platform === 'linux' && !isOpen(dirname(folder)) ? OWN_FOLDER : folder;
}

/** True if every user may pass through the folder and all above it. */
export function isOpen(folder: string): boolean {
  for (let dir = resolve(folder); ; dir = dirname(dir)) {
    if ((statSync(dir).mode & 0o001) === 0) return false;
    if (dir === dirname(dir)) return true;
  }
}
