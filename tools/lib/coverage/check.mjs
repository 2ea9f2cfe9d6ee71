// Checks that docs/coverage.md is complete and up to date.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../clone.mjs';
import { takeInventory } from './inventory.mjs';
import { PAGE, renderPage } from './page.mjs';

/** Returns the problems as sentences; none if every item has its row and every row its test. */
export function coverageProblems() {
  const inventory = takeInventory();
  const stands = existsSync(join(root, PAGE)) ? readFileSync(join(root, PAGE), 'utf8') : '';
  const isOld = stands !== renderPage(inventory);
  return [...inventory.problems, ...(isOld ? [`${PAGE} is not of now: run npm run coverage.`] : [])];
}
