import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(join(root, path)).href)) as T;

interface LockTool {
  lockProblems(lock: { packages: Record<string, object> }, manifest: object): string[];
  lockProblemsOf(folder: string): string[];
  unlocked(lock: { packages: Record<string, object> }, packages: Record<string, object>): string[];
}
const { lockProblems, lockProblemsOf, unlocked } = await load<LockTool>('tools/lib/lock.mjs');
const { decideClone } = await load<{ decideClone(folder: string): boolean }>('tools/lib/clone.mjs');

const HASH = `sha512-${'A'.repeat(86)}==`;
const good = { version: '1.0.0', integrity: HASH };
const ofPackage = (entry: object) => lockProblems({ packages: { 'node_modules/thing': entry } }, { allowScripts: {} });

describe('the lock file', () => {
  test('every package of this project is taken by its hash, and every install script was reviewed [HARD-105]', () => {
    expect(lockProblemsOf(root)).toEqual([]);
  });

  test('an entry without a hash, with a weak one, or with an address is found [HARD-105]', () => {
    expect(ofPackage(good)).toEqual([]);
    expect(ofPackage({ version: '1.0.0' })).toEqual([expect.stringContaining('node_modules/thing has no integrity')]);
    expect(ofPackage({ version: '1.0.0', integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' })).toHaveLength(1);
    expect(ofPackage({ ...good, resolved: 'https://registry.example/thing.tgz' })).toEqual([
      expect.stringContaining('names an address'),
    ]);
  });

  test('a package of the workspace that is new, or depends on something else by now, is found [SERVICE-008]', () => {
    const own = { dependencies: { a: '*', b: '^1.0.0' } };
    const lock = { packages: { 'services/news': { dependencies: { b: '^1.0.0', a: '*' } } } };
    expect(unlocked(lock, { 'services/news': own })).toEqual([]);
    expect(unlocked(lock, { 'services/news': { dependencies: { a: '*' } } })).toHaveLength(1);
    expect(unlocked({ packages: {} }, { 'services/news': own })).toEqual([
      'package-lock.json does not know services/news as its package.json says: run npm install',
    ]);
  });

  test('an unreviewed install script is found; one refused or allowed by name is not [HARD-105]', () => {
    const packages = { 'node_modules/thing': { ...good, hasInstallScript: true } };
    expect(lockProblems({ packages }, {})).toEqual([expect.stringContaining('thing has install scripts')]);
    for (const allowed of [true, false])
      expect(lockProblems({ packages }, { allowScripts: { thing: allowed } })).toEqual([]);
  });
});

test('the library with an advisory on its signatures comes for tests only [HARD-317]', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const found = Object.entries(packages).filter(([path]) =>
    /node_modules\/(elliptic|@stricahq\/bip32ed25519)$/.test(path),
  );
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(([, { dev }]) => dev !== true)).toEqual([]);
});

describe('folders of the tools', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-tree-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('in an image nothing is installed or built: without a lock file, or with its mark [HARD-105]', () => {
    expect(decideClone(root)).toBe(true);
    expect(decideClone(folder)).toBe(false);
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    expect(decideClone(folder)).toBe(true);
    writeFileSync(join(folder, '.image'), '');
    expect(decideClone(folder)).toBe(false);
  });
});
