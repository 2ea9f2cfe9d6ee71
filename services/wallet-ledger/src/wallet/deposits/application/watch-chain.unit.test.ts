import { beforeEach, expect, jest, test } from '@jest/globals';
import type { Lease } from '@bourse/messaging';
import { ChainUnavailable, type Chain, type ChainBlock } from '../../chains/application/chain.js';
import { WatchChain, type WatchParts } from './watch-chain.js';

const NOW = 1_800_000_000_000;
const BLOCK_MS = 12_000;

const close = jest.fn(() => Promise.resolve());
beforeEach(() => void close.mockClear());

/**
 * Takes one step at a node with this newest block, on a chain whose block 10 was read last. `read`: the node's answer
 * for the blocks below.
 */
function step(
  tip: Pick<ChainBlock, 'height' | 'at'>,
  read?: (height: number) => Partial<ChainBlock> | null,
): Promise<boolean> {
  const blockAt = (height: number): ChainBlock => ({ height, hash: `hash ${height}`, parentHash: '', at: tip.at });
  const parts = {
    chain: {
      name: 'ethereum',
      blockMs: BLOCK_MS,
      tip: () => Promise.resolve(blockAt(tip.height)),
      blockAt: (height: number) => Promise.resolve((read ?? blockAt)(height)),
      quietUntil: () => Promise.resolve(tip.height),
    } as unknown as Chain,
    store: {
      blocks: () => Promise.resolve([blockAt(10), blockAt(9)]),
      close,
      nextDue: () => Promise.resolve(null),
      lost: () => Promise.resolve([]),
      closedFor: () => Promise.resolve(null),
    },
    database: { transaction: (work: (tx: unknown) => unknown) => work({}) },
    alarms: { raise: () => undefined, clear: () => undefined },
    clock: { real: () => NOW },
  } as unknown as WatchParts;
  return new WatchChain(parts).step({ fence: () => Promise.resolve() } as unknown as Lease);
}

test.each([10, 12])('a node with a new block %i is followed [DEPOSIT-015]', async (height) => {
  await expect(step({ height, at: NOW - 25 * BLOCK_MS })).resolves.toBe(false);
  await expect(step({ height, at: null })).resolves.toBe(false);
});

test.each([10, 12])('a node whose newest block %i is old has stalled, which is said [DEPOSIT-015]', async (height) => {
  const stalled = step({ height, at: NOW - 25 * BLOCK_MS - 1 });
  await expect(stalled).rejects.toBeInstanceOf(ChainUnavailable);
  await expect(stalled).rejects.toThrow('its newest block ' + height + ' is 5 minutes old');
});

test('a node that lies below the blocks that were read is behind, which is said [DEPOSIT-015]', async () => {
  const behind = step({ height: 9, at: NOW });
  await expect(behind).rejects.toBeInstanceOf(ChainUnavailable);
  await expect(behind).rejects.toThrow('the node is at block 9, and ours is 10');
});

test.each([
  ['all known blocks', () => null],
  ['the lowest known block, and has others above', (height: number) => (height === 9 ? null : { hash: 'other' })],
])('a node that lacks %s below its tip is waited for and closes nothing [DEPOSIT-016]', async (_, read) => {
  await expect(step({ height: 12, at: NOW }, read)).rejects.toBeInstanceOf(ChainUnavailable);
  expect(close).not.toHaveBeenCalled();
});

test('a node that has other blocks at all known heights closes the chain [DEPOSIT-016]', async () => {
  await expect(step({ height: 12, at: NOW }, () => ({ hash: 'other' }))).rejects.toThrow('reorganised below block 9');
  expect(close).toHaveBeenCalledTimes(1);
});

test('a deposit that becomes due without a new block is found within ten seconds [DEPOSIT-018]', async () => {
  let now = NOW;
  let due: number | null = null;
  const decided: string[] = [];
  const block = { height: 10, hash: 'hash 10', parentHash: '', at: null };
  const watch = new WatchChain({
    chain: { name: 'ethereum', blockMs: BLOCK_MS, tip: () => Promise.resolve(block) } as unknown as Chain,
    store: {
      blocks: () => Promise.resolve([block]),
      nextDue: () => Promise.resolve(due),
      due: () => Promise.resolve(['7']),
      lost: () => Promise.resolve([]),
      closedFor: () => Promise.resolve(null),
    },
    confirm: {
      execute: (_: unknown, id: string) => {
        decided.push(id);
        due = null;
        return Promise.resolve();
      },
    },
    database: { transaction: (work: (tx: unknown) => unknown) => work({}) },
    alarms: { raise: () => undefined, clear: () => undefined },
    clock: { real: () => now },
  } as unknown as WatchParts);
  const lease = { fence: () => Promise.resolve() } as unknown as Lease;
  await watch.step(lease);
  // Its return has failed.
  due = 9;
  await watch.step(lease);
  expect(decided).toEqual([]);
  now += 10_000;
  await watch.step(lease);
  expect(decided).toEqual(['7']);
});
