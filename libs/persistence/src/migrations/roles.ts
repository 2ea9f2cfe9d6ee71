import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { requireServer } from './server-version.js';

/**
 * Before the name of a schema, its role. Roles are global to a server: two exchanges on one server need two prefixes.
 */
export const ROLE_PREFIX = 'bourse_';
const PREFIX = /^[a-z][a-z0-9_]{0,20}$/;
const SCHEMA_NAME = /^[a-z][a-z0-9_]{0,40}$/;
/** One lock for all schemas of a database. Roles are global to the server, beyond its reach: see `createRole`. */
export const MIGRATION_LOCK = 7_226_114_403;

/** The role that a schema belongs to, and that its service logs in as. @throws RangeError for an invalid name. */
export function roleOf(schema: string, prefix: string = ROLE_PREFIX): string {
  if (!PREFIX.test(prefix)) throw new RangeError(`role prefix ${prefix} does not fit ${PREFIX.source}`);
  if (!SCHEMA_NAME.test(schema)) throw new RangeError(`schema name ${schema} does not fit ${SCHEMA_NAME.source}`);
  return `${prefix}${schema}`;
}

/** A right that PostgreSQL denies to a login that has to prepare a schema; the message names who could grant it. */
export class MissingRight extends Error {}

type Asks = Pick<pg.Client, 'query'>;

/**
 * Creates the role and the schema where they are missing; existing ones are used as they are, and nothing is granted
 * twice. So the login needs rights only for the missing parts: to create roles, to become the role, to create schemas
 * in the database. The role has no rights but on its own.
 * @throws MissingRight
 */
export async function ensureSchema(client: Asks, schema: string, prefix?: string): Promise<void> {
  const role = roleOf(schema, prefix);
  const known = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (known.rowCount === 0) await createRole(client, role);
  const member = await client.query<{ ok: boolean }>(`select pg_has_role(current_user, $1, 'set') as ok`, [role]);
  if (!member.rows[0]?.ok) await allowed(client, `grant ${role} to current_user`, `become the role ${role}`);
  const present = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
  if (present.rowCount === 0)
    await allowed(client, `create schema ${schema} authorization ${role}`, `create the schema ${schema}`);
}

/** Errors for a role that another database of this server has created meanwhile: by its name, or by its index. */
const MADE_MEANWHILE: readonly unknown[] = ['42710', '23505'];

async function createRole(client: Asks, role: string): Promise<void> {
  try {
    await allowed(client, `create role ${role} nologin`, `create the role ${role}`);
  } catch (error) {
    if (!MADE_MEANWHILE.includes((error as { code?: string }).code)) throw error;
  }
}

async function allowed(client: Asks, sql: string, what: string): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    throw new MissingRight(
      `The login of the database may not ${what}: ${(error as Error).message}. Run \`npx bourse migrate\` with the ` +
        "owner's login (DATABASE_OWNER_URL), or prepare it by hand (deploy/README.md).",
      { cause: error },
    );
  }
}

/** Lets the schema's role log in with this password. @throws MissingRight */
export async function giveLogin(client: Asks, schema: string, password: string, prefix?: string): Promise<void> {
  const role = roleOf(schema, prefix);
  // PostgreSQL takes no parameters here. It hashes the password itself; the statement is not logged, and no view shows
  // it to other logins.
  const text = pg.escapeLiteral(password);
  await allowed(client, `alter role ${role} login password ${text}`, `set the password of ${role}`);
}

/** The address of a database for the login of a schema. */
export function loginUrl(url: string, schema: string, password: string, prefix?: string): string {
  const own = new URL(url);
  own.username = roleOf(schema, prefix);
  own.password = encodeURIComponent(password);
  return own.href;
}

/**
 * Prepares a database for services that log in each for itself: their roles and schemas, and a login with its password
 * for those that are given one. `url` is the login that owns the database. May be run again at any time. @throws
 * MissingRight
 */
export async function prepareRoles(
  url: string,
  schemas: readonly string[],
  { passwords = {}, prefix }: { passwords?: Readonly<Record<string, string>>; prefix?: string } = {},
): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'bourse roles' });
  client.on('error', () => undefined); // its query fails too
  await client.connect();
  try {
    await requireServer(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    for (const schema of schemas) {
      await ensureSchema(client, schema, prefix);
      const password = passwords[schema];
      if (password !== undefined) await giveLogin(client, schema, password, prefix);
    }
  } finally {
    await client.end(); // ends the session, and with it the advisory lock
  }
}

/** For a login that lives as long as its process. */
export const newPassword = (): string => randomBytes(24).toString('base64url');
