// `npx bourse operator add <name> --roles admin` and `npx bourse operator reset <name>`: people who run the exchange, from the console of
// its machine. The first operator of a production install has no other way in. Works beside a running exchange, or before its first start.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, root } from './lib/clone.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { roles: { type: 'string', default: 'admin' }, 'data-dir': { type: 'string' } } });
const [verb, username] = positionals;
if (!['add', 'reset'].includes(verb) || username === undefined || positionals.length !== 2) fail('Say what and who: npx bourse operator add alice --roles admin, or npx bourse operator reset alice');

try {
  const access = await withDatabase(values['data-dir'] ?? process.env.DATA_DIR ?? join(root, '.data'), async (config, url) => {
    const { addOperator, resetOperator } = await import('@bourse/auth/operators');
    return verb === 'add' ? addOperator(config, url, { username, roles: values.roles.split(',').map((role) => role.trim()) }) : resetOperator(config, url, username);
  });
  console.log([
    '', `Operator ${access.username}. What follows is shown this once:`, `  password             ${access.password}`, `  authenticator        ${access.totpSecret}`, `  for its QR code      ${access.otpauthUrl}`,
    '', 'Sign in, then choose a password of your own.', '',
  ].join('\n'));
} catch (error) {
  fail(process.env.DEBUG ? error.stack : error.message);
}

/** Runs `work` on the install's database: the server of DATABASE_URL, that of the exchange that runs on the data folder, or one started for the moment. */
async function withDatabase(dataDir, work) {
  const { loadConfig } = await import('@bourse/platform');
  const distributed = join(dataDir, 'distributed');
  const settings = (folder) => loadConfig({ BOURSE_DEV: '1', ...process.env, BOURSE_RUN: 'embedded', DATA_DIR: folder });
  if (process.env.DATABASE_URL) return work(settings(dataDir), process.env.DATABASE_URL);
  const { livingOwner, startPostgres } = await import('../apps/exchange/dist/postgres.js');
  for (const folder of [dataDir, distributed]) {
    const file = join(folder, 'postgres.json');
    if (!existsSync(file) || livingOwner(folder) === undefined) continue;
    const { port, password } = JSON.parse(readFileSync(file, 'utf8'));
    return work(settings(folder), `postgres://bourse:${password}@127.0.0.1:${port}/exchange`);
  }
  const folder = !existsSync(join(dataDir, 'postgres.json')) && existsSync(join(distributed, 'postgres.json')) ? distributed : dataDir;
  const config = settings(folder);
  const postgres = await startPostgres({ dataDir: folder });
  try {
    return await work(config, postgres.url);
  } finally {
    await postgres.stop();
  }
}
