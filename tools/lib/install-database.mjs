// The database of an install, for tools that work beside the running exchange or while it is stopped.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './clone.mjs';

export const defaultDataDir = () => process.env.DATA_DIR ?? join(root, '.data');

/**
 * The settings of the install in `folder`, with the secrets that the tool needs. A demo install is recognised by its
 * folder of secrets; without one the install is a real one, and its secrets must be in the environment. A tool never
 * generates secrets: they would differ from the exchange's.
 */
export async function installConfig(folder, needs) {
  const { loadConfig } = await import('@bourse/platform');
  const dev = process.env.BOURSE_DEV ?? (existsSync(join(folder, 'secrets')) ? '1' : '0');
  return loadConfig({ ...process.env, BOURSE_DEV: dev, BOURSE_RUN: 'embedded', DATA_DIR: folder }, {}, { tool: needs });
}

/** Throws when the install was made with other secrets, or is of another kind than the settings say. */
export async function checkTool(config, url) {
  const [{ checkInstall }, { installFacts }] = await Promise.all([
    import('@bourse/persistence'),
    import('@bourse/messaging'),
  ]);
  // A tool distributes no partitions, so its shell need not know their numbers.
  await checkInstall(url, { ...installFacts(config), partitions: {} });
}

/**
 * Folder and address of the install whose exchange runs on `dataDir`, in one process or in many; undefined: none runs.
 */
export async function runningInstall(dataDir) {
  const { livingOwner } = await import('../../apps/exchange/dist/postgres.js');
  for (const folder of [dataDir, join(dataDir, 'distributed')]) {
    const file = join(folder, 'postgres.json');
    if (!existsSync(file) || livingOwner(folder) === undefined) continue;
    const { port, password } = JSON.parse(readFileSync(file, 'utf8'));
    return { folder, url: `postgres://bourse:${password}@127.0.0.1:${port}/exchange` };
  }
  return undefined;
}

/** The folder with the secrets of the install: that of the distributed run where only that one was ever started. */
export function installFolder(dataDir) {
  const distributed = join(dataDir, 'distributed');
  const made = (folder) => existsSync(join(folder, 'postgres.json')) || existsSync(join(folder, 'secrets'));
  return !made(dataDir) && made(distributed) ? distributed : dataDir;
}

/**
 * The folder of an install that does not run, with its database.
 * @throws Error where there is none: a server started on a wrong folder would make an empty database in it
 */
export function restingInstall(dataDir) {
  const folder = installFolder(dataDir);
  if (existsSync(join(folder, 'postgres.json'))) return folder;
  throw new Error(`${resolve(folder)} holds no database: name the folder of the install, or set DATABASE_URL.`);
}

/**
 * Runs `work(client)` on a connection of its own. A connection that is lost fails the work at its next statement, with
 * the server's reason [LOG-068].
 */
export async function withClient(url, name, work) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, application_name: `bourse ${name}` });
  let lost;
  // Without a listener the loss would end the process, with a code that says something else.
  client.on('error', (error) => (lost ??= error));
  await client.connect();
  try {
    // A tool's transaction spans other work (Kafka is emptied, a pager waits), and ends with the tool: the limit is
    // meant for connections that nobody uses any more.
    await client.query('set idle_in_transaction_session_timeout = 0');
    return await work(client);
  } catch (error) {
    throw lost ?? error;
  } finally {
    await client.end();
  }
}

/**
 * Runs `work(config, url)` on the install's database: the server of DATABASE_URL, that of the exchange that runs on the
 * data folder, or one started for the moment. `needs` names the secrets that the work is done with.
 */
export async function withDatabase(dataDir, needs, work) {
  const checked = async (config, url) => {
    if (needs.length > 0) await checkTool(config, url);
    return work(config, url);
  };
  if (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE) {
    const config = await installConfig(installFolder(dataDir), needs);
    return checked(config, config.databaseUrl);
  }
  const running = await runningInstall(dataDir);
  if (running) return checked(await installConfig(running.folder, needs), running.url);
  const folder = restingInstall(dataDir);
  const config = await installConfig(folder, needs);
  const { startPostgres } = await import('../../apps/exchange/dist/postgres.js');
  const postgres = await startPostgres({ dataDir: folder });
  try {
    return await checked(config, postgres.url);
  } finally {
    await postgres.stop();
  }
}
