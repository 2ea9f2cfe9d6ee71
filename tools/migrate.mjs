// `bourse migrate`, with --plan or --apply: prepares the database before the services start, as the login that owns it:
// their roles and schemas, then their tables. Each service then logs in as its own role, which has rights on its own
// schema only (docs/decisions/0064).
//   DATABASE_OWNER_URL     that login; it must be able to create roles and schemas, or find
//                          them there (deploy/README.md)
//   DATABASE_LOGINS        JSON of service name to password, the roles that may log in; absent: passwords are set
//                          elsewhere
//   DATABASE_ROLE_PREFIX   before the name of a schema, is its role; default bourse_
// The first two may be in files (DATABASE_OWNER_URL_FILE).
import { parseArgs } from 'node:util';
import { fail } from './lib/clone.mjs';
import { given, readLogins } from './lib/given.mjs';

const { values } = parseArgs({
  options: {
    plan: { type: 'boolean', default: false },
    apply: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
if (values.plan && values.apply) fail('Say --plan, which writes nothing, or --apply: not both.');

/** Exit code of `--plan` if migrations are pending, for pipelines. */
const WAITING = 3;
const { migrate, planMigrations, prepareRoles } = await import('@bourse/persistence');
const { SERVICE_NAMES, SERVICE_SCHEMAS } = await import('@bourse/platform');

const setting = (name) => given(name).catch((error) => fail(error.message));
const url = (await setting('DATABASE_OWNER_URL')) ?? (await setting('DATABASE_URL'));
if (!url) fail('DATABASE_OWNER_URL is missing: the address of the database, with the login that owns it.');
const prefix = process.env.DATABASE_ROLE_PREFIX || undefined;

/** By service, what this version brings to its schema. */
async function specs() {
  const each = [];
  for (const name of SERVICE_NAMES)
    each.push({ name, schema: SERVICE_SCHEMAS[name], migrations: (await import(`@bourse/${name}`)).MIGRATIONS });
  return each;
}

async function plan() {
  const plans = [];
  for (const { name, ...spec } of await specs()) plans.push({ service: name, ...(await planMigrations(url, spec)) });
  const waits = plans.some(({ waiting }) => waiting.length > 0);
  if (values.json) console.log(JSON.stringify({ waits, plans }));
  else for (const one of plans) console.log(planned(one));
  process.exitCode = waits ? WAITING : 0;
}

function planned({ service, schema, waiting, breaking, newer }) {
  const lines = [`${schema.padEnd(9)} ${waiting.length === 0 ? 'is ready' : `${waiting.length} wait`} for ${service}`];
  for (const id of waiting)
    lines.push(`  ${id}${breaking.includes(id) ? '  older versions must have stopped before' : ''}`);
  for (const id of newer) lines.push(`  ${id}  of a newer version, is there already`);
  return lines.join('\n');
}

async function apply() {
  const logins = readLogins(await setting('DATABASE_LOGINS'), SERVICE_NAMES);
  const passwords = Object.fromEntries(
    Object.entries(logins).map(([name, password]) => [SERVICE_SCHEMAS[name], password]),
  );
  await prepareRoles(url, Object.values(SERVICE_SCHEMAS), { passwords, prefix });
  const ready = [];
  for (const { name, ...spec } of await specs()) {
    await migrate(url, spec, prefix);
    ready.push(name);
    if (!values.json) console.log(`${spec.schema.padEnd(9)} is ready for ${name}`);
  }
  if (values.json) console.log(JSON.stringify({ ready }));
}

try {
  await (values.plan ? plan() : apply());
} catch (error) {
  fail(process.env.DEBUG ? error.stack : error.message);
}
