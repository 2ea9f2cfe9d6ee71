import { PostgresDatabases } from '@bourse/persistence';
import type { Config } from '@bourse/platform';
import { Argon2Passwords } from './shared/crypto/argon2-passwords.js';
import { JwtTokens } from './shared/crypto/jwt-tokens.js';
import { AUTH_SPEC } from './shared/persistence/auth-database-spec.js';
import { addLoadPeople, openLoadSessions, type LoadPerson } from './seed/load-people.js';

export { loadPersonId } from './seed/load-people.js';

/** Result of `bourse seed`; with sessions it includes the people with their tokens. */
export interface SeededLoad {
  readonly added: number;
  readonly people: readonly LoadPerson[];
}

/**
 * `bourse seed`: adds people for load tests to a running demo install, beside its processes and through its database
 * and log only. The balances arrive when the ledger next reads the log, within some seconds. Refuses an install that is
 * not a demo.
 */
export async function seedLoad(
  config: Config,
  databaseUrl: string,
  { users, sessions }: { readonly users: number; readonly sessions: boolean },
): Promise<SeededLoad> {
  if (!config.dev) throw new Error('People for load tests are added to demo installs only (BOURSE_DEV=1).');
  const databases = new PostgresDatabases({
    url: databaseUrl,
    rolePrefix: config.databaseRolePrefix,
    migrates: false,
  });
  try {
    const database = await databases.open(AUTH_SPEC);
    const added = await addLoadPeople(
      database,
      new Argon2Passwords(config),
      users,
      config.ledgerPartitions,
      Date.now(),
    );
    return {
      added,
      people: sessions ? await openLoadSessions(database, new JwtTokens(config), users, Date.now()) : [],
    };
  } finally {
    await databases.close();
  }
}
