import { DEMO_OPERATORS, DEMO_PASSWORD } from '@bourse/contract';
import type { AuthDatabase } from '../shared/application/ports/database.js';
import type { Operators } from '../shared/application/ports/operators.js';
import type { Passwords } from '../shared/application/ports/passwords.js';

const SEEDED = 'seed.operators';
/** Installs that were seeded before there was a second admin get one at their next start. */
const SECOND_ADMIN = 'seed.operator2';
/** The same for the third admin, who brings approved changes of guarded rows into force at once. */
const THIRD_ADMIN = 'seed.operator3';

/**
 * Adds the operators of rules §17 to a demo install that has none; runs once. `now` is business time, ms.
 */
export async function seedDemoOperators(
  database: AuthDatabase,
  operators: Operators,
  passwords: Passwords,
  now: number,
): Promise<void> {
  if ((await database.query('select 1 from meta where name = $1', [THIRD_ADMIN])).length > 0) return;
  const hashes = new Map<string, string>();
  for (const { username } of DEMO_OPERATORS) hashes.set(username, await passwords.hash(DEMO_PASSWORD));
  await database.transaction(async (tx) => {
    const done = (name: string): Promise<number> =>
      tx.execute(`insert into meta (name, value) values ($1, 'done') on conflict do nothing`, [name]);
    if ((await done(THIRD_ADMIN)) === 0) return;
    await done(SECOND_ADMIN);
    await done(SEEDED);
    for (const { id, username, roles } of DEMO_OPERATORS) {
      const passwordHash = hashes.get(username);
      if (passwordHash === undefined) throw new Error(`invariant: no password for ${username}`);
      await operators.add(tx, { id, username, passwordHash, roles }, now);
    }
  });
}
