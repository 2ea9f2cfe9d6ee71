import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Words that a reader must read twice, with the plain one. */
const BANNED = {
  anew: 'again',
  tidings: 'events',
  betimes: 'early',
  naught: 'nothing',
  hearken: 'listen',
  purse: 'account or balance',
} as const;
/** The text of a migration is hashed, a release has been published, and the last is this list. */
const FIXED = /migrations\.ts$|^docs\/api\/released\/|english\.unit\.test\.ts$/;

/** Files of the repository by git's patterns. */
const filesIn = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', '-z', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);

/** A problem for each line that `check` describes, with its place. */
const problemsIn = (files: readonly string[], check: (line: string) => readonly string[]): string[] =>
  files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => check(line).map((problem) => `${file}:${index + 1}: ${problem}`)),
  );

test('code, comments, texts and pages use the plain word of each pair [PROJECT-015]', () => {
  const files = filesIn('*.ts', '*.tsx', '*.mjs', '*.md', '*.json', '*.yml', '*.yaml').filter(
    (file) => !FIXED.test(file),
  );
  expect(files.length).toBeGreaterThan(2_000);
  const words = new RegExp(`\\b(?:${Object.keys(BANNED).join('|')})\\b`, 'gi');
  const found = problemsIn(files, (line) =>
    [...line.matchAll(words)].map(([word]) => `${word}, write “${BANNED[word.toLowerCase() as keyof typeof BANNED]}”`),
  );
  expect(found).toEqual([]);
});

const CODE = /\.(?:ts|tsx|mjs)$/;
const NOT_PRODUCTION = /\.generated\.|\.test\.|\/test\/|\/testing\/|migrations|\.d\.ts$/;
/** The first line of a comment that begins with a clause: "What a person is told." */
const HEADLESS = /^\s*(?:\/\*\*|\*|\/\/) (?:What|Who|Whose|Whom|Where)\b/;

test('a comment of production code begins with a noun or a verb, not with a clause [PROJECT-016]', () => {
  const files = filesIn('services', 'libs', 'apps', 'tools', 'loadtest', 'examples').filter(
    (file) => CODE.test(file) && !NOT_PRODUCTION.test(file),
  );
  expect(files.length).toBeGreaterThan(1_500);
  expect(problemsIn(files, (line) => (HEADLESS.test(line) ? [line.trim()] : []))).toEqual([]);
});
