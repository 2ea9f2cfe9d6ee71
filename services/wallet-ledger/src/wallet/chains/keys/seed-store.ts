import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { isCurrent, keyIdOf, open, seal, SEAL_COST, WrongKey, type SealCost } from './seal.js';
import { SeedSigner } from './seed-signer.js';

const PURPOSE = 'bourse wallet seed';
const ENTROPY_BYTES = 32;

/**
 * Loads the keys of this install. The seed is stored sealed in the one row of `wallet_seed`, created at the first
 * start; if several processes start at once, the first row counts. The seed itself never changes. Its seal does: a
 * start that finds it sealed under one of the `old` secrets, or in an older form, seals it again under `secret`.
 * @throws Error when none of them opens the row.
 */
export async function loadSigner(
  database: Database,
  secret: string,
  { old = [], cost = SEAL_COST }: { readonly old?: readonly string[]; readonly cost?: SealCost } = {},
): Promise<SeedSigner> {
  const stored = async (): Promise<Buffer | undefined> =>
    (await database.query<{ sealed: Buffer }>('select sealed from wallet_seed'))[0]?.sealed;
  if (!(await stored()))
    await database.execute('insert into wallet_seed (sealed) values ($1) on conflict do nothing', [
      await seal(secret, PURPOSE, randomBytes(ENTROPY_BYTES), cost),
    ]);
  const sealed = await stored();
  if (!sealed) throw new Error('invariant: the seed was stored and is not there');
  const { entropy, by } = await opened(sealed, [secret, ...old]);
  if (by !== secret || !isCurrent(sealed, cost)) await reseal(database, sealed, entropy, secret, cost);
  return SeedSigner.from(entropy);
}

async function opened(
  sealed: Buffer,
  secrets: readonly string[],
): Promise<{ readonly entropy: Buffer; readonly by: string }> {
  let wrong: WrongKey | undefined;
  for (const by of secrets) {
    try {
      return { entropy: await open(by, PURPOSE, sealed), by };
    } catch (error) {
      if (!(error instanceof WrongKey)) throw error;
      wrong = error;
    }
  }
  throw new Error(
    'WALLET_KEY_SECRET is not the one that the seed of the wallets was sealed under, and WALLET_KEY_SECRET_OLD ' +
      'names none that is; without the right one no address of this install can be used',
    { cause: wrong },
  );
}

/** Only one of several processes replaces the row; the others find that it has changed since they read it and stop. */
async function reseal(
  database: Database,
  before: Buffer,
  entropy: Buffer,
  secret: string,
  cost: SealCost,
): Promise<void> {
  const after = await seal(secret, PURPOSE, entropy, cost);
  // The only copy of all keys is replaced, so the new seal must open first.
  if (!(await open(secret, PURPOSE, after)).equals(entropy)) throw new Error('invariant: a seal does not open again');
  const replaced = await database.transaction(async (tx) => {
    await tx.query(`select set_config('bourse.wallet_reseal', 'on', true)`);
    return tx.execute('update wallet_seed set sealed = $1, sealed_at = now() where sealed = $2', [after, before]);
  });
  if (replaced === 1) new Logger('WalletSeed').log(`the seed is sealed again, under the key ${keyIdOf(after)}`);
}
