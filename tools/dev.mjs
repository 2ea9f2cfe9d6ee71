// `npm run dev`: runs the exchange and its screens for development, behind one address (PORT, else 8080). A change of a
// screen is in the browser at once (Vite). After a change of a service or a library its package is bundled, and a
// standby process that has loaded everything else takes over on the same running database (decision 0182). The output
// is in `.cache/dev`; `dist` stays as it is. Types are checked in parallel; `npm run dev -- --no-types` skips that.
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { cacheDir, checkPort, cloneEnv, ensureBuilt, fail, progress, root, underNode24 } from './lib/clone.mjs';
import { runProgram } from './lib/dev/exchange.mjs';
import { joinPackages } from './lib/dev/packages.mjs';
import { serveScreens } from './lib/dev/screens.mjs';
import { watchTypes } from './lib/dev/types.mjs';
import { watchSources } from './lib/dev/watch.mjs';
import { startDatabase } from './lib/postgres.mjs';
import { freePorts, stopAll } from './lib/processes.mjs';

const outdir = join(cacheDir, 'dev', 'programs');
const log = join(cacheDir, 'dev', 'exchange.log');

const seconds = (began) => ((Date.now() - began) / 1000).toFixed(1);

async function main() {
  if (!underNode24()) fail('Run it through npm: npm run dev');
  const port = Number(process.env.PORT ?? 8080);
  await checkPort();
  await ensureBuilt([]);
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const dataDir = process.env.DATA_DIR ?? join(root, '.data');
  const [packages, database, [own]] = await Promise.all([
    joinPackages({ root, outdir }),
    startDatabase({ dataDir }),
    freePorts(1),
  ]);
  let types;
  const end = () => {
    types?.resume(); // a stopped process does not handle signals
    void stopAll(5000)
      .then(() => database.stop())
      .finally(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end);
  const url = `http://127.0.0.1:${own}`;
  const env = cloneEnv({
    BOURSE_DEV: '1',
    PORT: String(own),
    DATA_DIR: dataDir,
    DATABASE_URL: database.socketUrl ?? database.url,
  });
  const exchange = runProgram({ packages, env, url, log });
  await exchange.replace();

  const server = createServer();
  await serveScreens(server, { root, exchangeUrl: url, ready: exchange.ready });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  watchSources(root, async (files, began) => {
    const ours = files.filter((file) => packages.packageOf(file)); // the others are of a screen: Vite's
    for (const file of ours.filter((one) => !one.endsWith('.ts')))
      progress(`${relative(root, file)}: the exchange reads what was built of it; \`npm run build\` brings it`);
    const sources = ours.filter((file) => file.endsWith('.ts'));
    if (sources.length === 0) return;
    const what = sources.map((file) => relative(root, file)).join(', ');
    let joined;
    types?.pause();
    try {
      await exchange.replace(async () => {
        const changed = [...new Set(sources.map(packages.packageOf))];
        await Promise.all(changed.map(packages.rejoin));
        joined = seconds(began);
        return changed;
      });
      progress(`${what}: running after ${seconds(began)} s (joined after ${joined} s)`);
    } catch (error) {
      // A failure to build or start is reported; the next change tries again.
      progress(`${what}: ${error.message.slice(0, 2000)} (log: ${log})`);
    } finally {
      types?.resume();
    }
  });
  if (!process.argv.includes('--no-types')) types = watchTypes();
  console.log(`\nDEV READY http://localhost:${port} (terminal; console under /admin/), log of the exchange: ${log}\n`);
}

main().catch((error) => fail(process.env.DEBUG ? error.stack : error.message));
