import { randomBytes } from 'node:crypto';
import type { Database } from '@bourse/persistence';
import { open, seal, WrongKey } from './seal.js';
import { SeedSigner } from './seed-signer.js';

const PURPOSE = 'bourse wallet seed';
const ENTROPY_BYTES = 32;

/**
 * The keys of this install: its seed lies sealed in the one row of `wallet_seed`, made at the first start; of several processes that start at once the first row stands.
 * @throws Error when the row cannot be opened: another `WALLET_KEY_SECRET` than the one it was made under.
 */
export async function loadSigner(database: Database, secret: string): Promise<SeedSigner> {
  const stored = async (): Promise<Buffer | undefined> =>
    (await database.query<{ sealed: Buffer }>('select sealed from wallet_seed'))[0]?.sealed;
  if (!(await stored()))
    await database.execute('insert into wallet_seed (sealed) values ($1) on conflict do nothing', [
      seal(secret, PURPOSE, randomBytes(ENTROPY_BYTES)),
    ]);
  const sealed = await stored();
  if (!sealed) throw new Error('invariant: the seed was stored and is not there');
  try {
    return await SeedSigner.from(open(secret, PURPOSE, sealed));
  } catch (error) {
    if (error instanceof WrongKey)
      throw new Error(
        'WALLET_KEY_SECRET is not the one that the seed of the wallets was sealed under; without the right one no address of this install can be used',
        { cause: error },
      );
    throw error;
  }
}
