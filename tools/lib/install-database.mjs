// The database of an install, for tools that work beside the exchange or while it stands still.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './clone.mjs';

export const defaultDataDir = () => process.env.DATA_DIR ?? join(root, '.data');

/** Runs `work(config, url)` on the install's database: the server of DATABASE_URL, that of the exchange that runs on the data folder, or one started for the moment. */
export async function withDatabase(dataDir, work) {
  const { loadConfig } = await import('@bourse/platform');
  const distributed = join(dataDir, 'distributed');
  const settings = (folder) =>
    loadConfig({ BOURSE_DEV: '1', ...process.env, BOURSE_RUN: 'embedded', DATA_DIR: folder });
  if (process.env.DATABASE_URL) return work(settings(dataDir), process.env.DATABASE_URL);
  const { livingOwner, startPostgres } = await import('../../apps/exchange/dist/postgres.js');
  for (const folder of [dataDir, distributed]) {
    const file = join(folder, 'postgres.json');
    if (!existsSync(file) || livingOwner(folder) === undefined) continue;
    const { port, password } = JSON.parse(readFileSync(file, 'utf8'));
    return work(settings(folder), `postgres://bourse:${password}@127.0.0.1:${port}/exchange`);
  }
  const folder =
    !existsSync(join(dataDir, 'postgres.json')) && existsSync(join(distributed, 'postgres.json'))
      ? distributed
      : dataDir;
  const config = settings(folder);
  const postgres = await startPostgres({ dataDir: folder });
  try {
    return await work(config, postgres.url);
  } finally {
    await postgres.stop();
  }
}
