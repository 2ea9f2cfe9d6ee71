// Finds the extent of a change: its files by git, the affected projects by Nx.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneEnv, node24, program, root } from '../clone.mjs';

const git = (...args) => {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
};

/**
 * The commit that the change is compared with: the requested one, `NX_BASE` of a pipeline, the merge base with
 * origin/main, and on main itself the commit before. Undefined where git does not know any of them.
 */
function findBase(wanted = process.env.NX_BASE) {
  if (wanted) return git('rev-parse', '--verify', `${wanted}^{commit}`);
  const head = git('rev-parse', 'HEAD');
  const merged = git('merge-base', 'HEAD', 'origin/main');
  return merged && merged !== head ? merged : git('rev-parse', '--verify', 'HEAD~1');
}

/**
 * Returns the change since the base, including uncommitted files.
 *
 * @returns {{ base: string, files: Set<string>, projects: Set<string> } | undefined} `projects` are the folders of the
 *   affected projects; undefined where the clone has no history to compare with
 */
export function readChanges(wanted) {
  const base = existsSync(join(root, '.git')) ? findBase(wanted) : undefined;
  if (!base) return undefined;
  const committed = git('diff', '--name-only', base) ?? '';
  const untracked = git('ls-files', '--others', '--exclude-standard') ?? '';
  const files = new Set([...committed.split('\n'), ...untracked.split('\n')].filter(Boolean));
  return { base, files, projects: files.size === 0 ? new Set() : affectedProjects(files) };
}

/** Folders of the projects that use a changed file, directly or through another project. */
function affectedProjects(files) {
  const args = [program('nx'), 'show', 'projects', '--affected', `--files=${[...files].join(',')}`, '--json'];
  const names = new Set(JSON.parse(execFileSync(node24, args, { cwd: root, env: cloneEnv(), encoding: 'utf8' })));
  return new Set(projectFolders().filter((folder) => names.has(packageName(folder))));
}

const packageFile = (folder) => join(root, folder, 'package.json');
const packageName = (folder) => JSON.parse(readFileSync(packageFile(folder), 'utf8')).name;
function projectFolders() {
  const groups = ['libs', 'services', 'apps', 'examples'];
  const folders = groups.flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`));
  return folders.filter((folder) => existsSync(packageFile(folder)));
}
