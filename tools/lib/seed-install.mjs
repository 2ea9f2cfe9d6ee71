// Adds people for load tests to the install in a data folder. Shared by `bourse seed` and the load tests.
import { setTimeout as sleep } from 'node:timers/promises';
import { given } from './given.mjs';
import {
  checkTool,
  defaultDataDir,
  installConfig,
  installFolder,
  runningInstall,
  withClient,
} from './install-database.mjs';

const BOOKED_MS_MAX = 60_000;
const POLL_INTERVAL_MS = 100;

/** Returns the address of the install: the given server, else that of the exchange that runs on the data folder. */
export async function findInstall(dataDir, env = process.env) {
  const url = await given('DATABASE_URL', env);
  if (url) return { folder: installFolder(dataDir), url };
  const running = await runningInstall(dataDir);
  if (running) return running;
  throw new Error(`No exchange runs on ${dataDir}: start one first (npm start), or name its folder with --data-dir.`);
}

/**
 * Seeds `users` people and waits until their balances are booked. Returns how many were new and, with `sessions`, each
 * with a token.
 */
export async function seedInstall({ users, dataDir = defaultDataDir(), sessions = false }) {
  const install = await findInstall(dataDir);
  const { loadPersonId, seedLoad } = await import('@bourse/auth/load-people');
  const config = await installConfig(install.folder, ['PASSWORD_PEPPER', 'JWT_SECRET']);
  await checkTool(config, install.url);
  const seeded = await seedLoad(config, install.url, { users, sessions });
  return withClient(install.url, 'seed', async (client) => {
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
      await sleep(POLL_INTERVAL_MS);
    }
  });
}
