// What keeps docs/coverage.md from being complete and of now.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../clone.mjs';
import { takeInventory } from './inventory.mjs';
import { PAGE, renderPage } from './page.mjs';

/** Sentences that say what is wrong; none where every item has its row and every row its test. */
export function coverageProblems() {
  const inventory = takeInventory();
  const stands = existsSync(join(root, PAGE)) ? readFileSync(join(root, PAGE), 'utf8') : '';
  const isOld = stands !== renderPage(inventory);
  return [...inventory.problems, ...(isOld ? [`${PAGE} is not of now: run npm run coverage.`] : [])];
}
