import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { schemaProblems, workflowProblems } from './lib/yaml-tools.mjs';

// The first run builds actionlint and fetches check-jsonschema.
jest.setTimeout(testTimeoutMs(120_000));

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bourse-workflows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Files of the repository, as git knows them and as they lie here. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');
/** Paths of the files whose names fit. */
const pathsOf = (pattern: RegExp): string[] =>
  files.filter((file) => pattern.test(file)).map((file) => join(root, file));
const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const WORKFLOWS = /^\.github\/workflows\/.*\.yml$/;

test('actionlint finds nothing in the workflows, and finds a planted mistake [PROJECT-001]', () => {
  const workflows = pathsOf(WORKFLOWS);
  expect(workflows.length).toBeGreaterThanOrEqual(3);
  expect(workflowProblems(workflows)).toBe('');
  const codeql = readFileSync(join(root, '.github/workflows/codeql.yml'), 'utf8');
  expect(workflowProblems([write('wrong.yml', codeql.replace('runs-on:', 'run-on:'))])).toContain('run-on');
});

test.each([
  ['vendor.github-workflows', WORKFLOWS],
  ['vendor.dependabot', /^\.github\/dependabot\.yml$/],
  ['vendor.github-issue-forms', /^\.github\/ISSUE_TEMPLATE\/(?!config).*\.yml$/],
  ['vendor.github-issue-config', /^\.github\/ISSUE_TEMPLATE\/config\.yml$/],
  ['vendor.gitlab-ci', /^\.gitlab-ci\.yml$/],
])('%s holds [PROJECT-001]', (schema, pattern) => {
  const found = pathsOf(pattern);
  expect(found.length).toBeGreaterThan(0);
  expect(schemaProblems(schema, found)).toBe('');
});

test('a pipeline that breaks its schema is found [PROJECT-001]', () => {
  expect(schemaProblems('vendor.gitlab-ci', [write('gitlab.yml', 'image:\n  stage: deploy\n')])).not.toBe('');
});
