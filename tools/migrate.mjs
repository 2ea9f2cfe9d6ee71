// `npx bourse migrate`: prepares the database before the services start, as the login that owns it: their roles and
// schemas, then their tables. The services then log in each as its own role, which has no right but on its own schema
// (docs/decisions/0064). DATABASE_OWNER_URL that login; it must be able to create roles and schemas, or find them there
// (deploy/README.md) DATABASE_LOGINS JSON of service name to password: the roles that may log in; absent: passwords are
// set elsewhere DATABASE_ROLE_PREFIX before the name of a schema, its role; bourse_ unless told
import { fail } from './lib/clone.mjs';

const { migrate, prepareRoles } = await import('@bourse/persistence');
const { SERVICE_NAMES, SERVICE_SCHEMAS } = await import('@bourse/platform');

const url = process.env.DATABASE_OWNER_URL || process.env.DATABASE_URL;
if (!url) fail('DATABASE_OWNER_URL is missing: the address of the database, with the login that owns it.');
const prefix = process.env.DATABASE_ROLE_PREFIX || undefined;

try {
  const logins = Object.entries(JSON.parse(process.env.DATABASE_LOGINS || '{}'));
  const unknown = logins.filter(([name]) => !SERVICE_NAMES.includes(name)).map(([name]) => name);
  if (unknown.length > 0) throw new Error(`DATABASE_LOGINS names ${unknown.join(', ')}, which is no service.`);
  const passwords = Object.fromEntries(logins.map(([name, password]) => [SERVICE_SCHEMAS[name], password]));
  await prepareRoles(url, Object.values(SERVICE_SCHEMAS), { passwords, prefix });
  for (const name of SERVICE_NAMES) {
    const { MIGRATIONS } = await import(`@bourse/${name}`);
    await migrate(url, { schema: SERVICE_SCHEMAS[name], migrations: MIGRATIONS }, prefix);
    console.log(`${SERVICE_SCHEMAS[name].padEnd(8)} is ready for ${name}`);
  }
} catch (error) {
  fail(process.env.DEBUG ? error.stack : error.message);
}
