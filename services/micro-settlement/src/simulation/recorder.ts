// The recorder that the simulator plays: one tick a second while a contract is open, chained and signed.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { MarketTickV1, TOPICS } from '@bourse/events';
import type { MemoryDatabase, MemoryTx } from '@bourse/persistence/memory';
import { hashOf } from '../ticks/application/tick-chain.js';
import type { Contract } from '../contracts/domain/contract.js';
import { CONTRACT, SCHEMA } from './stores.js';

const LAST = `${SCHEMA}.recorded`;
const SECOND_MS = 1_000;
/** A key of the simulator's own, always the same: a seed replays byte for byte. */
const PRIVATE = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});
const PUBLIC = Buffer.from(createPublicKey(PRIVATE).export({ format: 'jwk' }).x!, 'base64url').toString('base64');

interface Recorded {
  readonly id: string;
  readonly time: number;
  readonly hash: string;
}

/** Records the next second, if a contract needs it and it has not been recorded. */
export function recordSecond(database: MemoryDatabase, symbols: readonly string[]): Promise<void> {
  return database.transaction(async (tx) => {
    await (tx as MemoryTx).statement('record a second', async (at) => {
      await at.lock(LAST, 'lock');
      if (![...at.rows<Contract>(CONTRACT)].some(([, { state }]) => state === 'opening' || state === 'running')) return;
      const time = Math.floor(at.began / SECOND_MS) * SECOND_MS;
      for (const [place, symbol] of symbols.entries()) {
        const last = at.get<Recorded>(LAST, symbol);
        if (last && time <= last.time) continue;
        const id = (BigInt(last?.id ?? '0') + 1n).toString();
        // Moves the price so that all four results occur.
        const price = String(60_000 + ((Number(id) * 7 + place) % 5) - 2);
        const unhashed = { symbol, id: BigInt(id), time, at: time, price, prevHash: last?.hash ?? '0'.repeat(64) };
        const hash = hashOf({ ...unhashed, signature: '', publicKey: '' });
        tx.emit(
          TOPICS.marketTicks,
          0,
          MarketTickV1.encode({
            id,
            symbol,
            time,
            at: time,
            price,
            prev_hash: unhashed.prevHash,
            hash,
            signature: sign(null, Buffer.from(hash, 'hex'), PRIVATE).toString('base64'),
            public_key: PUBLIC,
            kind: 'simulated',
            tick_version: 2,
          }),
        );
        await at.put(LAST, symbol, { id, time, hash } satisfies Recorded);
      }
    });
  });
}
