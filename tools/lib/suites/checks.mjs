// Checks that look at the sources alone, each counted as one.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { program, root } from '../clone.mjs';
import { brokenCitations, brokenPaths, documentOf, readLaw, readPaths } from '../citations.mjs';
import { lockProblemsOf } from '../lock.mjs';
import { coverageProblems } from '../coverage/check.mjs';
import { command } from './run.mjs';
import { indent, nothing } from './result.mjs';
import { describeSuites } from './describe.mjs';
import { filesOf, testFiles } from './places.mjs';

/** Files that may cite the contract and the design in comments and texts. */
const CITING = /\.(ts|tsx|mjs|md|ya?ml)$/;

/** Pages that tell history: they name files as they were at their time. */
const HISTORY = /^(?:CHANGELOG\.md|docs\/decisions\/|docs\/contract\/sources\/|THIRD_PARTY_NOTICES\.md)/;

const SOURCES = ['services', 'libs', 'apps', 'examples', 'tools', 'loadtest'];
/** Breaches that are kept so that `checkBoundaries` sees them rejected. */
const FORBIDDEN = '**/fixtures/forbidden-*/**';
/**
 * The errors that the linters must report for the breaches in `forbidden-lint`: an inactive rule would accept
 * everything.
 */
const FORBIDDEN_RULES = {
  oxlint: [
    'no-floating-promises',
    'no-explicit-any',
    'switch-exhaustiveness-check',
    'restrict-template-expressions',
    'no-restricted-properties',
  ],
  eslint: ['no-restricted-syntax', 'max-len'],
};

async function check(steps) {
  const notes = [];
  for (const [name, args, options] of steps) {
    const { ok, output, signal } = await command(name, args, options);
    if (!ok)
      notes.push(
        `${name} failed${signal ? ` (${signal})` : ''}:\n${output.trim().split('\n').slice(0, 120).join('\n')}`,
      );
  }
  return { ...nothing(), passed: notes.length === 0 ? 1 : 0, failed: notes.length === 0 ? 0 : 1, notes };
}

export function checkTypes() {
  // The native compiler is ten times as fast; the other one stays for what calls it as a library (decision 0186).
  const tsc = program('typescript-native', 'tsc');
  // With --force: declarations of the build's cache may be older than the sources and still have a later time.
  return check([
    ['tsc', [tsc, '-b', '--force']],
    ['tsc-web', [tsc, '--noEmit', '-p', 'tsconfig.web-test.json']],
    ['tsc-k6', [tsc, '-p', 'loadtest/k6']],
  ]);
}

export function checkLint() {
  const layers = ['services', 'libs', 'apps', 'examples']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}/src`))
    .filter((dir) => existsSync(join(root, dir)));
  return check([
    ['oxfmt', [program('oxfmt'), '--check']],
    // Rules that read types: oxlint; rules that it lacks: ESLint (decision 0186).
    ['oxlint', [program('oxlint'), '--deny-warnings', '--ignore-pattern', FORBIDDEN, ...SOURCES]],
    ['eslint', [program('eslint'), '--max-warnings', '0', ...SOURCES]],
    ['depcruise', [program('dependency-cruiser', 'depcruise'), '-c', '.dependency-cruiser.mjs', ...layers]],
    // Packages that a package.json names and no file uses, and those that a file uses and none names.
    ['knip', [program('knip'), '--no-config-hints']],
  ]);
}

/**
 * Both linters must reject the forbidden examples by the intended rule; every test file must belong to a suite, and
 * every citation must resolve.
 */
export async function checkBoundaries(suites) {
  const fixtures = 'services/notices/test/fixtures';
  const linted = await command('forbidden-eslint', [
    program('eslint'),
    '--no-ignore',
    '--format',
    'json',
    `${fixtures}/forbidden-import/imports-a-service.ts`,
  ]);
  const sleeping = await sleepingRules(`${fixtures}/forbidden-lint/domain/breaks-the-rules.ts`);
  const rooms = 'apps/terminal/test/fixtures/forbidden-rooms';
  const simulator = 'apps/simulation/test/fixtures/forbidden-import';
  const cruised = await command(
    'forbidden-depcruise',
    [program('dependency-cruiser', 'depcruise'), '-c', '.dependency-cruiser.mjs', fixtures, rooms, simulator],
    { env: { BOURSE_LINT_FIXTURES: '1' } },
  );
  const notes = [...sleeping];
  if (linted.ok || !linted.output.includes('@nx/enforce-module-boundaries'))
    notes.push(`Lint accepts a service that imports a service (${fixtures}/forbidden-import):\n${linted.output}`);
  for (const rule of [
    'no-service-imports-a-service',
    'domain-is-pure',
    'only-tests-import-testing',
    'features-do-not-mix',
    'rooms-know-no-feature',
    'core-knows-no-room',
    'the-ledger-knows-no-wallet',
    'products-in-order',
    'only-the-exchange-joins-services',
  ]) {
    if (cruised.ok || !cruised.output.includes(rule))
      notes.push(
        `dependency-cruiser does not report ${rule} for ${fixtures}, ${rooms} and ${simulator}:\n${cruised.output}`,
      );
  }
  const stray = testFiles().filter((file) => !suites.some((suite) => suite.files?.test(file)));
  if (stray.length > 0)
    notes.push(
      'Test files that no suite runs (docs/testing.md names the kinds, which come before .test.ts): ' +
        stray.join(', '),
    );
  const described = readFileSync(join(root, 'docs', 'testing.md'), 'utf8');
  if (!described.includes(describeSuites(suites)))
    notes.push(`docs/testing.md must have this table of the suites:\n${describeSuites(suites)}`);
  const broken = [...brokenLaw(), ...brokenPathsOfPages()];
  if (broken.length > 0) notes.push(`Citations that lead nowhere:\n${indent(broken.join('\n'))}`);
  notes.push(...lockProblemsOf(root));
  const uncovered = coverageProblems();
  if (uncovered.length > 0) notes.push(`The coverage page is not true:\n${indent(uncovered.join('\n'))}`);
  return { ...nothing(), passed: notes.length === 0 ? 1 : 0, failed: notes.length === 0 ? 0 : 1, notes };
}

/** Rules of which a linter says nothing though the file breaks them. */
async function sleepingRules(file) {
  const notes = [];
  for (const [linter, rules] of Object.entries(FORBIDDEN_RULES)) {
    const args = [program(linter), ...(linter === 'eslint' ? ['--no-ignore'] : []), file];
    const { output } = await command(`forbidden-rules-${linter}`, args);
    for (const rule of rules)
      if (!output.includes(rule)) notes.push(`${linter} does not report ${rule} for ${file}:\n${output}`);
  }
  return notes;
}

/** Returns citations in sources and pages that do not resolve: sections of contract and design, invariants, proofs. */
function brokenLaw() {
  const law = readLaw(join(root, 'docs'));
  const pages = filesOf(['libs', 'services', 'apps', 'loadtest', 'tools', 'docs', 'deploy', 'k8s', 'examples'], CITING);
  return pages.flatMap((file) =>
    brokenCitations(readFileSync(join(root, file), 'utf8'), law, documentOf(file)).map((broken) => `${file}:${broken}`),
  );
}

/** Returns paths that pages cite in backticks and that are no tracked file or folder. */
function brokenPathsOfPages() {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  const paths = readPaths(tracked);
  return tracked
    .filter((file) => file.endsWith('.md') && !HISTORY.test(file) && existsSync(join(root, file)))
    .flatMap((file) => brokenPaths(readFileSync(join(root, file), 'utf8'), paths).map((broken) => `${file}:${broken}`));
}
