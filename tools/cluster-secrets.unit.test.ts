import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';

// Each case starts programs of its own.
jest.setTimeout(testTimeoutMs(12_000));

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bourse-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Files of a cluster that the pages mention, by their usual names. */
const WRITTEN = ['secrets.yaml', 'my-secrets.yaml', 'keys.json', 'heads/heads-auth-0.json', 'kafka.crt', 'tls.key'];

describe('secrets of a cluster stay out of the clone [K8S-023]', () => {
  const program = (words: readonly string[], stdout: 'pipe' | number = 'pipe') =>
    spawnSync(process.execPath, [join(root, 'tools/cluster-secrets.mjs'), ...words], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', stdout, 'pipe'],
    });

  test('the program refuses a file in the clone, by its own name or through a link', () => {
    symlinkSync(join(root, 'k8s'), join(folder, 'link'));
    for (const path of [
      'secrets.yaml',
      'k8s/../secrets.yaml',
      join(root, 'docs/s.yaml'),
      join(folder, 'link/s.yaml'),
    ]) {
      const { status, stderr } = program(['--out', path]);
      expect([path, status, stderr]).toEqual([path, 1, expect.stringContaining('lies in the clone')]);
    }
  });

  test('it refuses a folder that is not there, and an output that a shell has redirected to a file', () => {
    expect(program(['--out', join(folder, 'none/s.yaml')])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is no folder'),
    });
    const file = join(folder, 'redirected.yaml');
    const output = openSync(file, 'w');
    try {
      expect(program([], output)).toMatchObject({ status: 1, stderr: expect.stringContaining('--out <file>') });
    } finally {
      closeSync(output);
    }
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('git ignores files of these names all the same', () => {
    const { stdout } = spawnSync('git', ['check-ignore', '--no-index', ...WRITTEN], { cwd: root, encoding: 'utf8' });
    expect(stdout.trim().split('\n')).toEqual(WRITTEN);
  });

  test('the builder of the image gets only listed folders and files of the clone', () => {
    const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(patterns[0]).toBe('*');
    const listed = patterns.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(listed).toContain('services');
    // The documents of the interface are bundled with the gateway; no other page is.
    expect(listed.filter((name) => /env|secret|key|crt|^\*$|^\.$|docs|k8s/i.test(name))).toEqual(['docs/api']);
    // After the allowed names no line allows another one.
    expect(patterns.slice(1 + listed.length).some((line) => line.startsWith('!'))).toBe(false);
  });

  test('the page writes them to a folder outside of it', () => {
    const page = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');
    const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block ?? '').join('');
    const files = [...blocks.matchAll(/(?:> |--out |--from-file=|-f )(\S+\.(?:yaml|json|crt|csv)|\S*heads\S*)/g)]
      .map(([, file = '']) => file)
      .filter((file) => !file.startsWith('k8s/'));
    expect(files.length).toBeGreaterThan(6);
    expect(files.filter((file) => !file.startsWith('$SAFE/'))).toEqual([]);
  });
});
