// PostgreSQL for tests and the distributed run: an address that is given, else the embedded one, which every platform
// has.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './clone.mjs';

/**
 * Gives `{ url, stop() }`. Needs the exchange to be built. `disposable` is for tests: fast, and without a promise about
 * power cuts.
 */
export async function startDatabase({
  given = process.env.DATABASE_URL,
  dataDir,
  disposable = false,
  onUnexpectedExit,
} = {}) {
  if (given) return { url: given, how: 'given', stop: async () => undefined };
  const { startPostgres } = await import(pathToFileURL(join(root, 'apps', 'exchange', 'dist', 'postgres.js')).href);
  return { how: 'embedded', ...(await startPostgres({ dataDir, disposable, onUnexpectedExit })) };
}
