import { expect, test } from '@jest/globals';
import { readOptions, UsageError } from './options.mjs';

const KNOWN = { suites: ['unit', 'browser'], files: ['apps/terminal/test/home.browser.test.ts'] };

test('words are suites by their names and files by parts of their paths [TEST-004]', () => {
  expect(readOptions(['browser', './apps/terminal/test/home', '--repeat', '5'], KNOWN)).toMatchObject({
    suites: ['browser'],
    parts: ['apps/terminal/test/home'],
    repeat: 5,
  });
});

test.each([
  [['no-such-suite'], 'No suite and no test file is called no-such-suite'],
  [['--repeat', '3'], '--repeat needs the files to repeat'],
  [['home.browser', '--repeat', '0'], '--repeat takes a whole number of runs'],
  [['--full', '--affected'], '--full and --affected exclude each other'],
  [['--unknown'], "Unknown option '--unknown'"],
])('%j is refused with a sentence and the usage [TEST-004]', (args, sentence) => {
  expect(() => readOptions(args, KNOWN)).toThrow(UsageError);
  expect(() => readOptions(args, KNOWN)).toThrow(sentence);
  expect(() => readOptions(args, KNOWN)).toThrow('Usage: npm test');
});
