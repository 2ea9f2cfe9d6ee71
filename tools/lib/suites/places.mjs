// Paths of tests, their data and their logs.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheDir, root } from '../clone.mjs';
import { alive, endLeftover, identify } from '../processes.mjs';

export const testDir = join(cacheDir, 'test');
export const logDir = join(testDir, 'logs');

/** All test files of the project. */
export function testFiles() {
  return filesOf(['libs', 'services', 'apps', 'examples', 'loadtest', 'tools'], /\.test\.(ts|tsx|mjs|js)$/);
}

/** Files of these folders whose names fit, sorted, with `/` between their parts. */
export function filesOf(groups, pattern) {
  const found = [];
  const visit = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (entry.isDirectory()) {
        if (!['node_modules', 'dist', '.cache', '.data', '.nx'].includes(entry.name)) visit(join(dir, entry.name));
      } else if (pattern.test(entry.name)) found.push(relative(root, join(dir, entry.name)).split(sep).join('/'));
    }
  };
  for (const group of groups) if (existsSync(join(root, group))) visit(join(root, group));
  return found.sort();
}

/**
 * Makes an empty folder under `.cache/test`. Leftovers of earlier runs are removed, and servers of killed runs ended.
 */
export async function freshDir(name) {
  mkdirSync(logDir, { recursive: true });
  for (const entry of readdirSync(testDir)) {
    if (!entry.startsWith(`${name}-`) || livesIn(join(testDir, entry))) continue;
    await endLeftovers(join(testDir, entry));
    rmSync(join(testDir, entry), { recursive: true, force: true });
  }
  const dir = join(testDir, `${name}-${process.pid}`);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'tested-by.json'), JSON.stringify(identify(process.pid)));
  return dir;
}

function livesIn(dir) {
  const file = join(dir, 'tested-by.json');
  return existsSync(file) && alive(JSON.parse(readFileSync(file, 'utf8')));
}

/** Ends what a killed run left in the folder: databases, and the services of a distributed run. */
export async function endLeftovers(dir) {
  const noted = join(dir, 'distributed', 'processes.json');
  if (existsSync(noted))
    await Promise.all(Object.values(JSON.parse(readFileSync(noted, 'utf8')).children).map(endLeftover));
  const { stopLeftover } = await import(pathToFileURL(join(root, 'apps', 'exchange', 'dist', 'postgres.js')).href);
  for (const place of [dir, join(dir, 'distributed')]) await stopLeftover(place);
}
