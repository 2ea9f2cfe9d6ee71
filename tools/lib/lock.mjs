// Checks the supply chain by the lock file: every package is pinned by hash, comes from the registry that npm is
// configured for, and runs installation scripts only if package.json allows it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the problems of a lock file and its manifest, in sentences; [] if there are none. Both are the parsed JSON.
 */
export function lockProblems(lock, manifest) {
  const problems = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.includes('node_modules/') || entry.link) continue;
    const name = entry.name ?? path.split('node_modules/').pop();
    if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? ''))
      problems.push(
        `${path} has no integrity (sha512) in package-lock.json: npm would take whatever a registry calls ` +
          `${name}@${entry.version}. npm view ${name}@${entry.version} dist.integrity tells it`,
      );
    if (entry.resolved !== undefined)
      problems.push(
        `${path} names an address in package-lock.json ("resolved"): each takes it from their own registry`,
      );
    if (entry.hasInstallScript && manifest.allowScripts?.[name] === undefined)
      problems.push(`${name} has install scripts, and allowScripts of package.json says neither true nor false of it`);
  }
  return problems;
}

/** Packages of the workspace that the lock file does not know as they are: npm ci would refuse the clone. */
export function unlocked(lock, packages) {
  const said = ({ dependencies = {}, devDependencies = {} } = {}) => {
    const sorted = (list) => Object.entries(list).sort(([one], [other]) => (one < other ? -1 : 1));
    return JSON.stringify([sorted(dependencies), sorted(devDependencies)]);
  };
  return Object.entries(packages).flatMap(([path, manifest]) =>
    said(lock.packages[path]) === said(manifest) && lock.packages[path]
      ? []
      : [`package-lock.json does not know ${path} as its package.json says: run npm install`],
  );
}

/** The same for the clone in `folder`; also checks that npm is configured to stop at unlisted scripts. */
export function lockProblemsOf(folder) {
  const read = (name) => readFileSync(join(folder, name), 'utf8');
  const problems = lockProblems(JSON.parse(read('package-lock.json')), JSON.parse(read('package.json')));
  const packages = ['apps', 'libs', 'services', 'examples'].flatMap((group) =>
    readdirSync(join(folder, group))
      .map((name) => `${group}/${name}`)
      .filter((path) => existsSync(join(folder, path, 'package.json'))),
  );
  const parsed = Object.fromEntries(packages.map((path) => [path, JSON.parse(read(`${path}/package.json`))]));
  problems.push(...unlocked(JSON.parse(read('package-lock.json')), parsed));
  const settings = read('.npmrc').split('\n');
  for (const setting of ['strict-allow-scripts=true', 'omit-lockfile-registry-resolved=true'])
    if (!settings.includes(setting)) problems.push(`.npmrc does not say ${setting}`);
  return problems;
}
