import { describe, expect, test } from '@jest/globals';
import { planFiles, reasonForOperations, reasonForTransport } from './plan.mjs';

const FILES = [
  'apps/terminal/test/gallery.full.browser.test.ts',
  'apps/terminal/test/spot.browser.test.ts',
  'apps/console/test/cash.browser.test.ts',
  'services/auth/test/integration/auth.int.test.ts',
];
const BROWSER = { name: 'browser', files: /\.browser\.test\.ts$/ };
const plain = { full: false, affected: false, parts: [] as string[] };
const changesOf = (files: string[], projects: string[] = []) => ({
  files: new Set(files),
  projects: new Set(projects),
});

describe('the files of a suite', () => {
  test('a run without options leaves out files marked .full and prints their number [TEST-001]', () => {
    expect(planFiles(BROWSER, FILES, plain, undefined)).toEqual({
      files: ['apps/terminal/test/spot.browser.test.ts', 'apps/console/test/cash.browser.test.ts'],
      left: ['1 file of browser run in npm run test:full alone'],
    });
  });

  test('a full run has every file [TEST-001]', () => {
    const { files, left } = planFiles(BROWSER, FILES, { ...plain, full: true }, undefined);
    expect([files.length, left]).toEqual([3, []]);
  });

  test('a suite on request runs by its name or by a file, and a run without it prints that [CONTAINER-011]', () => {
    const suite = { ...BROWSER, name: 'containers', isOnRequest: true };
    const left = ['The suite containers runs on request: npm test -- containers'];
    expect(planFiles(suite, FILES, plain, undefined)).toEqual({ files: [], left });
    expect(planFiles(suite, FILES, { ...plain, full: true }, undefined)).toEqual({ files: [], left });
    expect(planFiles(suite, FILES, { ...plain, full: true, isNamed: true }, undefined).files).toHaveLength(3);
    expect(planFiles(suite, FILES, { ...plain, parts: ['spot'] }, undefined).files).toHaveLength(1);
  });

  test('a file marked .full runs when it was itself changed [TEST-002]', () => {
    const changes = changesOf(['apps/terminal/test/gallery.full.browser.test.ts']);
    expect(planFiles(BROWSER, FILES, plain, changes).files).toHaveLength(3);
  });

  test('a suite with a reason to run all of its files has them, and its core otherwise [TEST-002]', () => {
    const suite = { ...BROWSER, core: /spot/, reasonToRunAll: reasonForTransport };
    expect(planFiles(suite, FILES, plain, changesOf(['README.md'])).files).toEqual([
      'apps/terminal/test/spot.browser.test.ts',
    ]);
    const moved = changesOf(['libs/messaging/src/log/kafka-log.ts']);
    expect(planFiles(suite, FILES, plain, moved).files).toHaveLength(3);
  });

  test('--affected keeps the files of affected projects [TEST-003]', () => {
    const changes = changesOf(['apps/console/src/app.tsx'], ['apps/console']);
    expect(planFiles(BROWSER, FILES, { ...plain, affected: true }, changes)).toEqual({
      files: ['apps/console/test/cash.browser.test.ts'],
      left: [
        '1 file of browser run in npm run test:full alone',
        '1 file of browser test projects that the change does not affect',
      ],
    });
  });

  test('a named file runs whatever its mark [TEST-003]', () => {
    const options = { ...plain, parts: ['gallery'] };
    expect(planFiles(BROWSER, FILES, options, undefined).files).toEqual([
      'apps/terminal/test/gallery.full.browser.test.ts',
    ]);
  });
});

test.each([
  ['libs/persistence/src/pool.ts', true, false],
  ['services/auth/service.json', true, true],
  ['services/auth/src/sign-in/http/sign-in.controller.ts', true, false],
  ['services/c2c-escrow/src/deals/persistence/rows.ts', true, false],
  ['services/auth/src/shared/domain/code.ts', false, false],
  ['k8s/base/gateway.yaml', false, true],
  ['docs/runbooks/feed.md', false, true],
])('a change of %s runs the distributed run: %s, operations: %s [TEST-002]', (file, transport, operations) => {
  const changes = changesOf([file]);
  expect([reasonForTransport(changes) !== undefined, reasonForOperations(changes) !== undefined]).toEqual([
    transport,
    operations,
  ]);
});
