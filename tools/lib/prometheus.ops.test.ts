import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, jest, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { ruleProblems } from './prometheus.mjs';

// The first run fetches promtool.
jest.setTimeout(testTimeoutMs(120_000));

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
}
interface Rules {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
}
interface Cases {
  readonly rule_files: readonly string[];
  readonly evaluation_interval: string;
  readonly tests: readonly {
    readonly name: string;
    readonly promql_expr_test?: readonly {
      readonly expr: string;
      readonly eval_time: string;
      readonly exp_samples: readonly object[];
    }[];
  }[];
}

const here = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url));
const RULES = ['alerts.yml', 'data-alerts.yml'];
const FILES = RULES.flatMap((file) => ['.test.yml', '.hours.test.yml'].map((end) => file.replace('.yml', end)));
const read = <T>(file: string): T => parse(readFileSync(join(here, file), 'utf8')) as T;
const rules: Rules = { groups: RULES.flatMap((file) => read<Rules>(file).groups) };
const cases = FILES.map((file) => read<Cases>(file));
const alerts = rules.groups.flatMap((group) => group.rules);
const folder = mkdtempSync(join(tmpdir(), 'bourse-alerts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Cases of one alert, and what they ask for, in order: whether it stands. */
const casesOf = (name: string): Cases[] =>
  cases.map((all) => ({
    ...all,
    tests: all.tests.filter((one) => one.promql_expr_test?.some(({ expr }) => expr.includes(`alertname="${name}"`))),
  }));
const asked = (name: string): boolean[] =>
  casesOf(name)
    .flatMap(({ tests }) => tests)
    .flatMap(({ promql_expr_test: questions = [] }) => questions.map(({ exp_samples: found }) => found.length > 0));

test('each alert fires on its failure, not before its time, and in peace none does [OBSERVE-026]', () => {
  expect(ruleProblems(FILES.map((file) => join(here, file)))).toBe('');
});

test('every alert has a case in which it fires, and one in which it does not yet [OBSERVE-026]', () => {
  expect(alerts.length).toBeGreaterThan(38);
  for (const { alert } of alerts) expect([alert, new Set(asked(alert))]).toEqual([alert, new Set([true, false])]);
});

/** Typical mistakes in a rule. */
const SLIPS: readonly [string, (rule: Rule) => Rule | undefined][] = [
  ['never speaks', (rule) => ({ ...rule, expr: `(${rule.expr}) and on () vector(1) > 1` })],
  ['always speaks', (rule) => ({ ...rule, expr: `vector(1)` })],
  ['does not wait', ({ for: wait, ...rule }) => (wait === undefined ? undefined : rule)],
  ['waits twice as long', (rule) => (rule.for === undefined ? undefined : { ...rule, for: twice(rule.for) })],
];
const twice = (span: string): string => span.replace(/^\d+/, (count) => String(Number(count) * 2));

/** Files in which one alert has slipped, with its cases; all of a slip are judged by one run of promtool. */
function slipped(rule: Rule, changed: Rule, name: string): string[] {
  writeFileSync(join(folder, `${name}.yml`), stringify({ groups: [{ name, rules: [changed] }] }));
  return casesOf(rule.alert)
    .filter(({ tests }) => tests.length > 0)
    .map((one, at) => {
      const file = join(folder, `${name}.${at}.test.yml`);
      writeFileSync(file, stringify({ ...one, rule_files: [`${name}.yml`] }));
      return file;
    });
}
/** Of promtool's words, the files in which it found something. */
const failedIn = (words: string): string[] =>
  words
    .split('Unit Testing:')
    .filter((part) => part.includes('FAILED'))
    .map((part) => part.trim().split(/\s/)[0] ?? '');

test.each(SLIPS)('an alert that %s is found, whichever it is [OBSERVE-026]', (what, slip) => {
  const tried = alerts.flatMap((rule) => {
    const changed = slip(rule);
    return changed ? [[rule.alert, slipped(rule, changed, `${what}-${rule.alert}`.replaceAll(' ', '-'))] as const] : [];
  });
  const failed = failedIn(ruleProblems(tried.flatMap(([, files]) => files)));
  const unnoticed = tried.filter(([, files]) => !files.some((file) => failed.includes(file))).map(([alert]) => alert);
  expect([tried.length > 10, unnoticed]).toEqual([true, []]);
});
