import type { Tx } from '@bourse/persistence';
import type { CheckedAccess } from '../application/ports/database.js';

/** The tables of those who sign in, each with the column of the right to do so. */
const RIGHTS = { account: 'can_sign_in', operator: 'active' } as const;

/**
 * Locks a row until the transaction ends. False: its password or authenticator is no longer the checked one, or the
 * right to sign in is gone. PostgreSQL compares the row as it is after the wait for the lock.
 */
export async function lockUnchanged(
  tx: Tx,
  table: keyof typeof RIGHTS,
  { id, passwordHash, totpSealed }: CheckedAccess,
): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from ${table}
      where id = $1 and password_hash = $2 and totp_sealed is not distinct from $3 and ${RIGHTS[table]}
      for no key update`,
    [id, passwordHash, totpSealed],
  );
  return rows.length === 1;
}
