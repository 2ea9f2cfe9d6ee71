import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { say } from './fault.js';
import { clone, root } from './tools.js';

/** A version of the exchange that was built from another commit. */
export interface PreviousBuild {
  readonly commit: string;
  programFile(name: string): string;
}

const run = promisify(execFile);
/** Highest output size of an installation and a build. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** `FAULTS_PREVIOUS`, else the newest tag before this commit, else the commit before it. @throws without a history */
function previousCommit(): string {
  const given = process.env['FAULTS_PREVIOUS'];
  if (given) return git('rev-parse', '--verify', `${given}^{commit}`);
  const [parent] = git('rev-list', '-1', '--skip=1', 'HEAD').split('\n');
  if (!parent) throw new Error('this clone has no commit before HEAD: fetch the history, or set FAULTS_PREVIOUS');
  const tags = git('tag', '--merged', parent, '--sort=-creatordate').split('\n');
  return tags[0] ? git('rev-list', '-1', tags[0]) : parent;
}

/**
 * Builds the previous version beside this one, once per commit. The connections of the world pass through this process,
 * which must not block meanwhile.
 */
export async function previousBuild(): Promise<PreviousBuild> {
  const commit = previousCommit();
  const place = join(clone.cacheDir, 'previous', commit);
  const mark = join(place, '.built');
  if (!existsSync(mark)) {
    say(`building ${commit.slice(0, 8)}`);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, place], { cwd: root });
    const env = clone.cloneEnv({ NODE_ENV: undefined });
    for (const command of ['npm ci --no-audit --no-fund', 'npm run --silent build'])
      await run('sh', ['-c', command], { cwd: place, env, maxBuffer: OUTPUT_BYTES_MAX });
    writeFileSync(mark, '');
  }
  return { commit, programFile: (name) => join(place, 'dist', `${name}.js`) };
}
