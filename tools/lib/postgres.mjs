// PostgreSQL for tests and the distributed run: an address that is given, a container where `BOURSE_SERVERS` wants
// them, else the embedded one, which every platform has.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './clone.mjs';
import { hasContainerEngine, MissingPart, wantsContainers } from './missing.mjs';

/** As in docker-compose.yml. */
const IMAGE = process.env.POSTGRES_IMAGE ?? 'postgres:18';

/**
 * Gives `{ url, stop() }`. Needs the exchange to be built. `disposable` is for tests: fast, and without a promise about
 * power cuts. Only such a one may be a container, which keeps nothing. An embedded one listens on `port`, if given, and
 * waits `portWaitMs` for it. @throws MissingPart
 */
export async function startDatabase({
  given = process.env.DATABASE_URL,
  dataDir,
  disposable = false,
  port,
  portWaitMs,
  onUnexpectedExit,
} = {}) {
  if (given) return { url: given, how: 'given', stop: async () => undefined };
  if (disposable && wantsContainers()) return startContainer();
  const { startPostgres } = await import(pathToFileURL(join(root, 'apps', 'exchange', 'dist', 'postgres.js')).href);
  return { how: 'embedded', ...(await startPostgres({ dataDir, disposable, port, portWaitMs, onUnexpectedExit })) };
}

async function startContainer() {
  if (!(await hasContainerEngine())) throw new MissingPart('PostgreSQL', 'start Docker or Podman', 'no engine answers');
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts(5432)
    .withEnvironment({ POSTGRES_PASSWORD: 'disposable', POSTGRES_DB: 'exchange' })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=240'])
    // The first time it is the server that makes the database; it ends, and the one that stays begins.
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start();
  return {
    url: `postgresql://postgres:disposable@${container.getHost()}:${container.getMappedPort(5432)}/exchange`,
    how: 'container',
    stop: () => container.stop(),
  };
}
