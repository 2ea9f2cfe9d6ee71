// `npm run coverage`: writes docs/coverage.md, the list of everything that contract and source documents name with its
// file and its test. With --check it writes nothing, prints what is wrong, and exits with 1. With --clear it first
// removes the rows of `docs/coverage/not-yet.md` whose items exist by now.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './lib/clone.mjs';
import { coverageProblems } from './lib/coverage/check.mjs';
import { takeInventory } from './lib/coverage/inventory.mjs';
import { PAGE, renderPage } from './lib/coverage/page.mjs';

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, clear: { type: 'boolean', default: false } },
});
const file = join(root, PAGE);
if (values.clear) clearExcuses();
if (values.check) {
  const problems = coverageProblems();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} else {
  const inventory = takeInventory();
  const page = renderPage(inventory);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== page) writeFileSync(file, page);
  for (const problem of inventory.problems) console.error(problem);
  const rows = inventory.groups.reduce((sum, group) => sum + group.rows.length, 0);
  console.log(`${PAGE}: ${rows} rows, ${inventory.notYet.length} not yet, ${inventory.problems.length} problems.`);
  process.exitCode = inventory.problems.length > 0 ? 1 : 0;
}

function clearExcuses() {
  const excuses = join(root, 'docs/coverage/not-yet.md');
  const over = takeInventory().notYet.filter(({ isMet }) => !isMet);
  const lines = readFileSync(excuses, 'utf8').split('\n');
  const left = lines.filter((line) => !over.some(({ group, item }) => line.startsWith(`| ${group} | ${item} |`)));
  writeFileSync(excuses, left.join('\n'));
}
