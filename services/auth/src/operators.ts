import { randomBytes } from 'node:crypto';
import { OperatorActionV1, TOPICS } from '@bourse/events';
import { PostgresDatabases, type Database, type Tx } from '@bourse/persistence';
import type { Config } from '@bourse/platform';
import { AesSeal } from './shared/crypto/aes-seal.js';
import { Argon2Passwords } from './shared/crypto/argon2-passwords.js';
import { SealedTotp } from './shared/crypto/sealed-totp.js';
import { AUTH_SPEC } from './shared/persistence/auth-database-spec.js';
import { PostgresFailures } from './shared/persistence/postgres-failures.js';
import { PostgresOperators } from './shared/persistence/postgres-operators.js';
import { OPERATOR_ROLES, type OperatorRole } from './shared/application/ports/operators.js';

export { OPERATOR_ROLES, type OperatorRole };

/** Credentials of a new operator. Displayed once, stored only hashed or sealed. */
export interface OperatorAccess {
  readonly username: string;
  readonly password: string;
  readonly totpSecret: string;
  readonly otpauthUrl: string;
}
const USERNAME = /^[a-z0-9][a-z0-9._-]{1,49}$/;
/** Fifteen bytes are twenty characters; an operator's password has at least twelve. */
const PASSWORD_BYTES = 15;
/** The command line's name in the audit trail. */
const CONSOLE = 'console';

/**
 * `bourse operator add`: adds an operator with a random password and an authenticator, beside a running exchange or
 * while it is stopped: the first operator cannot be added otherwise. Throws for a name that is taken or invalid, for
 * unknown roles, and if the tables do not exist because neither a start nor `bourse migrate` has run.
 */
export async function addOperator(
  config: Config,
  databaseUrl: string,
  { username, roles }: { readonly username: string; readonly roles: readonly string[] },
): Promise<OperatorAccess> {
  const name = nameOf(username);
  const known = roles.filter((role): role is OperatorRole => (OPERATOR_ROLES as readonly string[]).includes(role));
  if (known.length === 0 || known.length !== roles.length)
    throw new Error(`Roles are ${OPERATOR_ROLES.join(', ')}; one or more with commas between them.`);
  return withAuth(config, databaseUrl, async (database) => {
    const operators = new PostgresOperators(config);
    const { access, passwordHash, sealed } = await newAccess(config, name);
    await database.transaction(async (tx) => {
      const id = await operators.add(tx, { username: name, passwordHash, roles: known }, Date.now());
      if (id === null) throw new Error(`There is an operator ${name} already.`);
      // The terminal has displayed it: it is valid for one sign-in, which must bring a new password [HARD-471].
      await operators.requireOwnPassword(tx, id, true);
      await operators.setTotp(tx, id, sealed, 0);
      record(tx, id, 'operators.add', name, { roles: known });
    });
    return access;
  });
}

/**
 * `bourse operator reset`: a new password and a new authenticator for an operator who has lost them or is locked out;
 * all their sessions end, at every gateway within a minute. Throws for an unknown name.
 */
export async function resetOperator(config: Config, databaseUrl: string, username: string): Promise<OperatorAccess> {
  const name = nameOf(username);
  return withAuth(config, databaseUrl, async (database) => {
    const operators = new PostgresOperators(config);
    const { access, passwordHash, sealed } = await newAccess(config, name);
    await database.transaction(async (tx) => {
      const operator = await operators.lockByName(tx, name);
      if (!operator) throw new Error(`There is no operator ${name}.`);
      await operators.change(tx, operator.id, { passwordHash, roles: operator.roles, active: true });
      await operators.requireOwnPassword(tx, operator.id, true);
      await operators.setTotp(tx, operator.id, sealed, 0);
      await new PostgresFailures().clearOperator(tx, operator.id);
      await operators.endAll(tx, operator.id, Date.now(), null);
      record(tx, operator.id, 'operators.reset', name, { active: true });
    });
    return access;
  });
}

/** A random password and a new authenticator, in the displayed and in the stored form. */
async function newAccess(
  config: Config,
  name: string,
): Promise<{ readonly access: OperatorAccess; readonly passwordHash: string; readonly sealed: string }> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const passwordHash = await new Argon2Passwords(config).hash(password);
  const { secret, url, sealed } = new SealedTotp(new AesSeal(config)).create(name);
  return { access: { username: name, password, totpSecret: secret, otpauthUrl: url }, passwordHash, sealed };
}

function nameOf(username: string): string {
  const name = username.toLowerCase();
  if (!USERNAME.test(name))
    throw new Error(
      'A name has 2 to 50 letters, digits, dots, dashes or underscores and begins with a letter or a digit.',
    );
  return name;
}

function record(tx: Tx, operatorId: number, action: string, name: string, after: object): void {
  const at = Date.now();
  tx.emit(
    TOPICS.operatorActions,
    0,
    OperatorActionV1.encode({
      id: `auth:${action}:${operatorId}:${at}`,
      at,
      operatorId,
      operator: CONSOLE,
      action,
      target: `operator:${name}`,
      reason: 'from the console of the machine',
      before: '{}',
      after: JSON.stringify(after),
    }),
  );
}

/** Opens the database beside running services, which may be of another version and own the schema. */
async function withAuth<T>(
  { databaseRolePrefix: rolePrefix }: Config,
  url: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const databases = new PostgresDatabases({ url, rolePrefix, migrates: false });
  try {
    return await work(await databases.open(AUTH_SPEC));
  } finally {
    await databases.close();
  }
}
