// npm run bench:report. Writes docs/benchmarks.md, and the short table of the README, from what the last runs have
// written; measures nothing.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { replaceBetween, reportOf, shortOf } from './lib/report.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..');
const read = (...path) => {
  const file = join(here, ...path);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
};

const results = existsSync(join(here, 'results'))
  ? readdirSync(join(here, 'results'))
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => read('results', name))
  : [];
const found = {
  book: read('book', 'last-run.json'),
  ledger: read('ledger', 'last-run.json'),
  pipeline: read('pipeline', 'last-run.json'),
  steps: read('pipeline', 'steps.json'),
  risk: read('risk', 'last-run.json'),
  neighbours: read('risk', 'neighbours.json'),
  micro: read('micro', 'last-run.json'),
  savings: read('savings', 'last-run.json'),
  team: read('team', 'last-run.json'),
  terminal: read('terminal', 'last-run.json'),
  compare: results.find(({ scenario }) => scenario === 'compare'),
  scenarios: results.filter(({ scenario }) => scenario !== 'compare'),
};
writeFileSync(join(root, 'docs', 'benchmarks.md'), reportOf(found));
const readme = join(root, 'README.md');
writeFileSync(readme, replaceBetween(readFileSync(readme, 'utf8'), 'benchmarks', shortOf(found)));
console.log('docs/benchmarks.md and the table of README.md are written.');
