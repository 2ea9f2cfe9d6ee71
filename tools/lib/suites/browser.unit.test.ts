import { describe, expect, test } from '@jest/globals';
import { resultOf } from './browser.mjs';

const ENDED = { code: 0, signal: null, output: 'the end of the log' };
const at = new Date(0).toISOString();
const specOf = (title: string, status: string, errors: { message: string }[] = []) => ({
  title,
  tests: [{ status, results: [{ startTime: at, duration: 1_500, errors }] }],
});
const reportOf = (specs: readonly object[], errors: { message: string }[] = []) => ({
  config: { rootDir: process.cwd() },
  errors,
  suites: [{ file: 'a.browser.test.ts', title: 'a', suites: [{ file: 'a.browser.test.ts', title: 'group', specs }] }],
});

describe('the result of a browser run', () => {
  test('counts tests, and names a failure by its file and full title', () => {
    const report = reportOf([specOf('holds', 'expected'), specOf('breaks', 'unexpected', [{ message: 'no row' }])]);
    const result = resultOf(report, 'browser', ['a.browser.test.ts'], { ...ENDED, code: 1 });
    expect(result).toMatchObject({ passed: 1, failed: 1, skipped: 0 });
    expect(result.notes.join('\n')).toMatch(/FAIL a\.browser\.test\.ts\n.*✕ group breaks\n.*no row/);
    expect(result.files).toEqual([{ run: 'browser', file: 'a.browser.test.ts', seconds: 1.5, failed: 1 }]);
  });

  test('a file of which no test ran is a failure, and so is a run without a report', () => {
    expect(resultOf(reportOf([]), 'browser', ['a.browser.test.ts'], ENDED).failed).toBe(1);
    expect(resultOf(undefined, 'browser', ['a.browser.test.ts'], ENDED).notes.join()).toContain('the end of the log');
  });

  test('an error outside of tests is a failure', () => {
    const report = reportOf([specOf('holds', 'expected')], [{ message: 'cannot be loaded' }]);
    expect(resultOf(report, 'browser', ['a.browser.test.ts'], { ...ENDED, code: 1 })).toMatchObject({
      passed: 1,
      failed: 1,
    });
  });
});
