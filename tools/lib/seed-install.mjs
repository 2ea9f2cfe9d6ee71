// Adds people for load tests to the install in a data folder. Shared by `bourse seed` and the load tests.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './clone.mjs';

const BOOKED_MS_MAX = 60_000;
const LOOK_MS = 100;

/** Where an install keeps its database and its secrets: a server that is given, else the embedded or the distributed run of the data folder, whichever runs. */
async function findInstall(dataDir) {
  const distributed = join(dataDir, 'distributed');
  if (process.env.DATABASE_URL)
    return {
      dataDir:
        existsSync(join(distributed, 'secrets')) && !existsSync(join(dataDir, 'postgres.json')) ? distributed : dataDir,
      url: process.env.DATABASE_URL,
    };
  const { livingOwner } = await import('../../apps/exchange/dist/postgres.js');
  for (const folder of [dataDir, distributed]) {
    const file = join(folder, 'postgres.json');
    if (!existsSync(file) || livingOwner(folder) === undefined) continue;
    const { port, password } = JSON.parse(readFileSync(file, 'utf8'));
    return { dataDir: folder, url: `postgres://bourse:${password}@127.0.0.1:${port}/exchange` };
  }
  throw new Error(`No exchange runs on ${dataDir}: start one first (npm start), or name its folder with --data-dir.`);
}

/** Seeds `users` people and waits until their balances are booked. Returns how many were new and, with `sessions`, each with a token. */
export async function seedInstall({ users, dataDir = process.env.DATA_DIR ?? join(root, '.data'), sessions = false }) {
  const install = await findInstall(dataDir);
  const [{ loadConfig }, { loadPersonId, seedLoad }, { default: pg }] = await Promise.all([
    import('@bourse/platform'),
    import('@bourse/auth/load-people'),
    import('pg'),
  ]);
  const config = loadConfig({
    ...process.env,
    BOURSE_DEV: process.env.BOURSE_DEV ?? '1',
    BOURSE_RUN: 'embedded',
    DATA_DIR: install.dataDir,
  });
  const seeded = await seedLoad(config, install.url, { users, sessions });
  const client = new pg.Client({ connectionString: install.url, application_name: 'bourse seed' });
  await client.connect();
  try {
    const until = Date.now() + BOOKED_MS_MAX;
    for (;;) {
      const {
        rows: [{ booked }],
      } = await client.query(
        `select count(*)::int as booked from ledger.balance where owner between $1 and $2 and product = 'micro'`,
        [loadPersonId(1), loadPersonId(users)],
      );
      if (booked === users) return seeded;
      if (Date.now() > until)
        throw new Error(`Only ${booked} of ${users} people have their balances after ${BOOKED_MS_MAX / 1000} s.`);
      await sleep(LOOK_MS);
    }
  } finally {
    await client.end();
  }
}
