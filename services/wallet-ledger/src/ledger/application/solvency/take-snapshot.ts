import { hash as digest, randomBytes, randomInt } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import { formatUnits, toUnits } from '@bourse/money';
import { Clock } from '@bourse/platform';
import {
  buildTree,
  plainDecimal,
  makeLeaves,
  type Leaf,
  type Levels,
  type OwnerBalance,
  type TreeNode,
} from '../../domain/solvency.js';
import { Currencies } from '../currencies.js';
import { Assets, NODES_A_BLOCK, SolvencyStore, type SnapshotCoin, type StoredLeaf, type StoredNodes } from './ports.js';

/** Other calls are served after this much work. */
const PIECE_MS = 5;
/** Rows per insert. */
const ROWS_AT_ONCE = 500;
/** A snapshot without progress for this long may be claimed by another instance. */
export const CLAIM_SECONDS = 60;

const sha256 = (text: string): string => digest('sha256', text, 'hex');
const nonce = (): string => randomBytes(16).toString('hex');

/** Another instance has claimed the snapshot. */
class ClaimLost extends Error {}

/**
 * Takes a snapshot of all liabilities: reads it at one instant, builds a tree for each coin, and stores all of it, so
 * that proofs are looked up (rules 8.7).
 */
@Injectable()
export class TakeSnapshot {
  constructor(
    private readonly store: SolvencyStore,
    private readonly assets: Assets,
    private readonly currencies: Currencies,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns false when another instance finished or claimed it. @throws Unavailable when a chain does not report its
   * holdings: nothing is published then, and the snapshot is retried.
   */
  async execute(id: number, by: string): Promise<boolean> {
    await this.store.begin(id);
    const takenAt = this.clock.now();
    const owed = new Map<number, OwnerBalance[]>();
    const outside = await this.store.read((rows) => unhurried(this.gather(rows, owed)));
    const { units, simulated } = await this.assets.of(
      new Map(outside.map(({ currency, balance }) => [currency, -toUnits(balance, this.scaleOf(currency))])),
    );
    const coins: SnapshotCoin[] = [];
    try {
      for (const { id: currency, name, scale } of this.currencies.all()) {
        const balances = owed.get(currency) ?? [];
        const leaves = await unhurried(makeLeaves(balances, { nonce, below: (bound) => randomInt(bound) }));
        const levels = await unhurried(buildTree(leaves, { name, scale }, sha256));
        await this.keep({ id, currency, scale, by }, leaves, levels);
        const root = levels.at(-1)?.[0] as TreeNode;
        coins.push({
          currency,
          name,
          scale,
          liabilities: formatUnits(root.sum, scale),
          assets: formatUnits(units.get(currency) ?? 0n, scale),
          leaves: balances.length,
          depth: levels.length - 1,
          rootHash: root.hash,
        });
      }
    } catch (error) {
      if (error instanceof ClaimLost) return false;
      throw error;
    }
    return this.store.finish({ id, takenAt, simulatedAssets: simulated, coins }, by);
  }

  private *gather(
    rows: readonly { owner: number; currency: number; balance: string }[],
    owed: Map<number, OwnerBalance[]>,
  ): Generator<void, void> {
    for (const [index, { owner, currency, balance }] of rows.entries()) {
      let of = owed.get(currency);
      if (!of) owed.set(currency, (of = []));
      of.push({ owner, balance: toUnits(balance, this.scaleOf(currency)) });
      if (index % 256 === 255) yield;
    }
  }

  private async keep(
    { id, currency, scale, by }: { id: number; currency: number; scale: number; by: string },
    leaves: readonly Leaf[],
    levels: Levels,
  ): Promise<void> {
    const go = async (): Promise<void> => {
      if (!(await this.store.keepClaim(id, by, CLAIM_SECONDS))) throw new ClaimLost();
    };
    for (let from = 0; from < leaves.length; from += ROWS_AT_ONCE) {
      const rows = leaves
        .slice(from, from + ROWS_AT_ONCE)
        .map((leaf, index): StoredLeaf => ({
          owner: leaf.owner,
          place: from + index,
          nonce: leaf.nonce,
          balance: plainDecimal(leaf.balance, scale),
        }))
        .filter(({ owner }) => owner > 0);
      await this.store.saveLeaves(id, currency, rows);
      if (from % (20 * ROWS_AT_ONCE) === 0) await go();
    }
    const blocks: StoredNodes[] = [];
    const flush = async (): Promise<void> => {
      await this.store.saveNodes(id, currency, blocks.splice(0));
    };
    for (const [level, nodes] of levels.entries()) {
      for (let block = 0; block * NODES_A_BLOCK < nodes.length; block += 1) {
        blocks.push({
          level,
          block,
          nodes: nodes
            .slice(block * NODES_A_BLOCK, (block + 1) * NODES_A_BLOCK)
            .map(({ hash, sum }) => [hash, plainDecimal(sum, scale)]),
        });
        if (blocks.length * NODES_A_BLOCK >= ROWS_AT_ONCE) await flush();
      }
    }
    await flush();
    await go();
  }

  private scaleOf(currency: number): number {
    const scale = this.currencies.scaleOf(currency);
    if (scale === undefined)
      throw new Error(`invariant: currency ${currency} has an account and is not in the catalog`);
    return scale;
  }
}

/** Runs long work in pieces of some milliseconds and yields to the event loop between them. */
async function unhurried<T>(work: Generator<void, T>): Promise<T> {
  for (let since = performance.now(); ;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < PIECE_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  }
}
