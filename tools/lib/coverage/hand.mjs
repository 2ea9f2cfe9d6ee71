// Rows that people write, in `docs/coverage/*.md`: tables of four columns. The first is the section or `-`, the second
// how the sentence of the document begins (or the name of the item), the third the files that carry it, the fourth what
// proves it. A file may be followed by `#` and a text that it must contain. A proof is the code of a rule, as tests
// name it, or a test file; a text of the title behind `#` chooses among several. The last proof may be an exception
// from the sentence, begun with `but `; the page shows it too. A line with `=` instead of files says why its sentence
// has no row; only such a line may end with ` +`, which extends it to the sentences that follow in its section.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../clone.mjs';
import { exists, read } from './code.mjs';

/** Rows of one page, in order. */
export function readHand(page) {
  const file = `docs/coverage/${page}.md`;
  if (!existsSync(join(root, file))) return [];
  const rows = [];
  for (const line of read(file).split('\n')) {
    if (!/^\|(?![-\s]*-)/.test(line) || /^\| § \|/.test(line)) continue;
    const [section, begins, carried, proved] = line
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [, proofs = '', but] = /^(.*?)(?:; but (.*))?$/.exec(proved ?? '') ?? [];
    rows.push({ page: file, section, begins, carriers: parts(carried), proofs: parts(proofs), but });
  }
  return rows;
}

/** Short names of folders, so that a table stays readable: `spot:domain/book.ts`. */
const FOLDERS = {
  spot: 'services/spot-matching/src/',
  lever: 'services/lever-risk/src/',
  micro: 'services/micro-settlement/src/',
  c2c: 'services/c2c-escrow/src/',
  ledger: 'services/wallet-ledger/src/ledger/',
  wallet: 'services/wallet-ledger/src/wallet/',
  auth: 'services/auth/src/',
  gateway: 'services/gateway/src/',
  market: 'services/market-data/src/',
  savings: 'services/savings/src/',
  points: 'services/points/src/',
  notices: 'services/notices/src/',
  terminal: 'apps/terminal/src/',
  platform: 'libs/platform/src/',
  contract: 'libs/contract/src/',
  formulas: 'libs/formulas/src/',
  matching: 'libs/matching/src/',
  tests: 'apps/exchange/test/contract/',
};
const whole = (name) => {
  const [, folder, rest] = /^([a-z0-9]+):(.*)$/.exec(name) ?? [];
  return folder && FOLDERS[folder] ? `${FOLDERS[folder]}${rest}` : name;
};

const parts = (cell = '') =>
  cell
    .split(/;\s*/)
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('#');
      return at < 0 ? { name: whole(part) } : { name: whole(part.slice(0, at)), text: part.slice(at + 1) };
    });

/** Whether a row says that its sentence promises nothing, or is covered by a table of its own. */
export const isNoRow = ({ carriers }) => carriers.length === 1 && carriers[0].name === '=';

/**
 * Returns the problems of the places that a row names, and its resolved tests. A derived item may keep its derived
 * file.
 */
export function resolveRow(row, testsByCode, tests, { isDerived = false } = {}) {
  const problems = [];
  const said = `${row.page}: “${row.begins}”`;
  for (const { name, text } of row.carriers) {
    if (!exists(name)) problems.push(`${said} names ${name}, which is not there`);
    else if (text !== undefined && !read(name).includes(text))
      problems.push(`${said}: ${name} does not contain “${text}”`);
  }
  const proved = row.proofs.flatMap(({ name, text }) => {
    const found = /^[A-Z][A-Z0-9-]*-\d{3}$/.test(name)
      ? (testsByCode.get(name) ?? [])
          .filter(({ title }) => text === undefined || title.includes(text))
          .slice(0, 1)
          .map((test) => ({ ...test, code: name }))
      : tests.filter(({ file, title }) => file === name && (text === undefined || title.includes(text))).slice(0, 1);
    if (found.length === 0) problems.push(`${said}: no test ${name}${text === undefined ? '' : ` “${text}”`}`);
    return found;
  });
  if (row.begins.endsWith(' +')) problems.push(`${said} must not stand for other sentences`);
  if (row.carriers.length === 0 && !isDerived) problems.push(`${said} names no file`);
  if (row.proofs.length === 0) problems.push(`${said} names no test`);
  return { problems, proved };
}
