import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { beginBuild, browsersRefuse, endBuild, isBuildCurrent } from './clone.mjs';

test('a port that browsers never connect to is known before anything is installed [START-010]', async () => {
  expect(await browsersRefuse(5060)).toBe(true);
  expect(await browsersRefuse(6000)).toBe(true);
  expect(await browsersRefuse(9)).toBe(true);
  expect(await browsersRefuse(8080)).toBe(false);
});

test('a build is current until a source changes, but for the types that are written of it [START-039]', () => {
  const clone = mkdtempSync(join(tmpdir(), 'bourse-clone-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text);
  };
  try {
    for (const file of ['package-lock.json', 'nx.json', '.swcrc', 'tsconfig.base.json', 'tools/bundle.mjs'])
      write(file, '');
    for (const group of ['libs', 'services', 'apps', 'examples']) mkdirSync(join(clone, group));
    write('services/spot/src/call.ts', 'one');
    write('libs/contract/src/calls.generated.ts', 'of one');
    const build = (): void => {
      beginBuild(clone);
      expect(isBuildCurrent(clone)).toBe(false);
      endBuild(clone);
    };
    expect(isBuildCurrent(clone)).toBe(false);
    build();
    expect(isBuildCurrent(clone)).toBe(true);
    write('libs/contract/src/calls.generated.ts', 'of two');
    write('services/spot/src/call.unit.test.ts', 'a test');
    expect(isBuildCurrent(clone)).toBe(true);
    write('services/spot/src/call.ts', 'two');
    expect(isBuildCurrent(clone)).toBe(false);
    build();
    expect(isBuildCurrent(clone)).toBe(true);
    // One that changes under a build may be in it or not.
    beginBuild(clone);
    write('services/spot/src/other.ts', 'three');
    endBuild(clone);
    expect(isBuildCurrent(clone)).toBe(false);
  } finally {
    rmSync(clone, { recursive: true });
  }
});
