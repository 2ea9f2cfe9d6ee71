import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeFileSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { ids, serverEnv, type Binaries } from './programs.js';
import { nameFor, type RunAs } from './run-as.js';

/** Superuser of the cluster. */
export const USER = 'bourse';
export const DATABASE = 'exchange';

/**
 * Makes the cluster beside its place and moves it there when it is whole: a kill in the middle leaves nothing half
 * made.
 */
export function createCluster(
  binaries: Binaries,
  dataDir: string,
  clusterDir: string,
  password: string,
  runAs: RunAs,
): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith('postgres.init-')) rmSync(join(dataDir, name), { recursive: true, force: true });
  const building = join(dataDir, `postgres.init-${process.pid}`);
  const passwordFile = join(dataDir, `.postgres-password-${process.pid}`);
  mkdirSync(building, { mode: 0o700 });
  try {
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (runAs.uid !== undefined)
      for (const path of [building, passwordFile]) chownSync(path, runAs.uid, runAs.gid ?? runAs.uid);
    run(
      binaries.initdb,
      [
        '-D',
        nameFor(runAs, building),
        '--username',
        USER,
        '--auth',
        'scram-sha-256',
        '--pwfile',
        process.platform === 'win32' ? passwordFile : '/dev/stdin',
        '--encoding',
        'UTF8',
        '--locale',
        'C',
        '--no-instructions',
      ],
      runAs,
      building,
      { file: passwordFile },
    );
    // Single-user mode needs no client library here, and no other client can be connected yet.
    run(
      binaries.postgres,
      ['--single', '-D', nameFor(runAs, building), '-c', 'io_method=sync', 'postgres'],
      runAs,
      building,
      { text: `create database ${DATABASE}\n` },
    );
    renameSync(building, clusterDir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(building, { recursive: true, force: true });
  }
}

/**
 * Runs a program of PostgreSQL in `cwd`, which is entered before the user changes; its standard input is a text, or a
 * file that is opened as the current user.
 */
function run(
  program: string,
  args: string[],
  runAs: RunAs,
  cwd: string,
  input: { readonly text: string } | { readonly file: string },
): void {
  const file = 'file' in input ? openSync(input.file, 'r') : undefined;
  const result = spawnSync(program, args, {
    encoding: 'utf8',
    cwd,
    env: serverEnv(),
    ...('text' in input ? { input: input.text } : { stdio: [file, 'pipe', 'pipe'] }),
    ...ids(runAs),
  });
  if (file !== undefined) closeSync(file);
  if (result.error) {
    const hint =
      (result.error as NodeJS.ErrnoException).code === 'EACCES'
        ? ` The user ${runAs.name} must be able to enter every folder above it (chmod o+x).`
        : '';
    throw new Error(`${program} could not be run: ${result.error.message}.${hint}`);
  }
  if (result.status !== 0 || /^\S* ?\[?\S*\]? ?(ERROR|FATAL|PANIC):/m.test(result.stderr)) {
    throw new Error(
      `${program} failed (${result.signal ?? `code ${result.status}`}), run as ` +
        `${runAs.name}:\n${result.stdout.slice(-1000)}${result.stderr.slice(-2000)}`,
    );
  }
}
