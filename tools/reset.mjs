// `npm run reset`: forgets everything the exchange stored in this clone, so that the next start seeds again.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, root } from './lib/clone.mjs';
import { alive } from './lib/processes.mjs';

const dataDir = process.env.DATA_DIR ?? join(root, '.data');
if (!existsSync(dataDir)) {
  console.log('Nothing is stored yet.');
  process.exit(0);
}
const supervisor = join(dataDir, 'distributed', 'processes.json');
if (existsSync(supervisor)) {
  const { supervisor: owner } = JSON.parse(readFileSync(supervisor, 'utf8'));
  if (alive(owner)) fail(`The distributed run (process ${owner.pid}) is using ${dataDir}. Stop it first.`);
}
const postgres = join(root, 'apps', 'exchange', 'dist', 'postgres.js');
for (const dir of [dataDir, join(dataDir, 'distributed')]) {
  const pidFile = join(dir, 'postgres', 'postmaster.pid');
  if (!existsSync(postgres)) {
    if (existsSync(pidFile))
      fail(
        `${pidFile} says that a database runs; the build that could end it is missing. Run npm start once and stop it.`,
      );
    continue;
  }
  const { livingOwner, stopLeftover } = await import(pathToFileURL(postgres).href);
  const owner = livingOwner(dir);
  if (owner !== undefined) fail(`An exchange (process ${owner}) is using ${dir}. Stop it first.`);
  await stopLeftover(dir);
}
const [installs, demos] = ['postgres', 'secrets'].map((name) =>
  [dataDir, join(dataDir, 'distributed')].filter((dir) => existsSync(join(dir, name))),
);
if (installs.some((dir) => !demos.includes(dir)))
  fail(
    `${dataDir} is no demo install: it has a database and no secrets of its own. If you mean it, remove it by hand.`,
  );
rmSync(dataDir, { recursive: true, force: true });
console.log(`Removed ${dataDir}. The next start seeds again.`);
