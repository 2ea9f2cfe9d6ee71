import { expect, test } from '@jest/globals';
import type { Lease } from '@bourse/messaging';
import { ChainUnavailable, type Chain, type ChainBlock } from '../../chains/application/chain.js';
import { WatchChain, type WatchParts } from './watch-chain.js';

const NOW = 1_800_000_000_000;
const BLOCK_MS = 12_000;

/** Takes one step at a node with this newest block, on a chain whose block 10 was read last. */
function step(tip: Pick<ChainBlock, 'height' | 'at'>): Promise<boolean> {
  const blockAt = (height: number): ChainBlock => ({ height, hash: `hash ${height}`, parentHash: '', at: tip.at });
  const parts = {
    chain: {
      name: 'ethereum',
      blockMs: BLOCK_MS,
      tip: () => Promise.resolve(blockAt(tip.height)),
      blockAt: (height: number) => Promise.resolve(blockAt(height)),
      quietUntil: () => Promise.resolve(tip.height),
    } as unknown as Chain,
    store: {
      blocks: () => Promise.resolve([blockAt(10)]),
      nextDue: () => Promise.resolve(null),
      lost: () => Promise.resolve([]),
      closedFor: () => Promise.resolve(null),
    },
    alarms: { raise: () => undefined, clear: () => undefined },
    clock: { real: () => NOW },
  } as unknown as WatchParts;
  return new WatchChain(parts).step({} as Lease);
}

test.each([10, 12])('a node with a new block %i is followed [DEPOSIT-015]', async (height) => {
  await expect(step({ height, at: NOW - 25 * BLOCK_MS })).resolves.toBe(false);
  await expect(step({ height, at: null })).resolves.toBe(false);
});

test.each([10, 12])('a node whose newest block %i is old stands still, which is said [DEPOSIT-015]', async (height) => {
  const standing = step({ height, at: NOW - 25 * BLOCK_MS - 1 });
  await expect(standing).rejects.toBeInstanceOf(ChainUnavailable);
  await expect(standing).rejects.toThrow('its newest block ' + height + ' is 5 minutes old');
});

test('a node that lies below the blocks that were read is behind, which is said [DEPOSIT-015]', async () => {
  const behind = step({ height: 9, at: NOW });
  await expect(behind).rejects.toBeInstanceOf(ChainUnavailable);
  await expect(behind).rejects.toThrow('the node is at block 9, and ours is 10');
});
