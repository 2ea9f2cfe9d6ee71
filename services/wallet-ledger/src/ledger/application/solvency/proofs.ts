import { Injectable } from '@nestjs/common';
import type { SolvencyProof, SolvencySnapshot } from '@bourse/contract';
import type { OperatorAction } from '@bourse/events';
import { formatUnits, toUnits } from '@bourse/money';
import { Clock, timeText } from '@bourse/platform';
import { pathOf } from '../../domain/solvency.js';
import { SolvencyStore } from './ports.js';
import { SolvencyRuntime } from './solvency-runtime.js';

/**
 * An operator's call is answered when the snapshot is finished, or after this time; the snapshot is taken in any case.
 */
const WAIT_MS = 4_000;
const POLL_INTERVAL_MS = 50;

/** Liabilities and assets of the exchange, and the path from one person's balance to the total (rules 8.7). */
@Injectable()
export class SolvencyProofs {
  constructor(
    private readonly store: SolvencyStore,
    private readonly runtime: SolvencyRuntime,
    private readonly clock: Clock,
  ) {}

  /** Null before the first snapshot. */
  async latest(): Promise<SolvencySnapshot | null> {
    const row = await this.store.snapshot();
    return (
      row && {
        snapshot_id: row.id,
        time: timeText(row.takenAt),
        simulated_assets: row.simulatedAssets ? 1 : 0,
        currencies: row.coins.map(({ name, scale, liabilities, assets, leaves, rootHash }) => ({
          currency: name,
          liabilities: atScale(liabilities, scale),
          assets: atScale(assets, scale),
          leaves,
          root_hash: rootHash,
        })),
      }
    );
  }

  /** Null: no such snapshot or coin, or the person had no account in it then. */
  async proof(userId: number, currency: number, snapshotId?: number): Promise<SolvencyProof | null> {
    const row = await this.store.snapshot(snapshotId);
    const coin = row?.coins.find((candidate) => candidate.currency === currency);
    if (!row || !coin) return null;
    const leaf = await this.store.leaf(row.id, currency, userId);
    if (!leaf) return null;
    const path = pathOf(leaf.place, coin.depth);
    const nodes = await this.store.nodes(row.id, currency, [
      { level: 0, index: leaf.place },
      ...path,
      { level: coin.depth, index: 0 },
    ]);
    const [own, root] = [nodes[0], nodes.at(-1)];
    if (!own || !root) throw new Error(`invariant: snapshot ${row.id} has no tree of currency ${currency}`);
    return {
      snapshot_id: row.id,
      currency: coin.name,
      leaf: { nonce: leaf.nonce, balance: leaf.balance, hash: own[0] },
      path: path.map(({ side }, index) => ({
        side,
        hash: nodes[index + 1]?.[0] ?? '',
        sum: nodes[index + 1]?.[1] ?? '',
      })),
      root_hash: root[0],
      root_sum: root[1],
    };
  }

  /** Requests a snapshot now. */
  async snapshotNow(by: {
    readonly operatorId: number;
    readonly operator: string;
    readonly reason: string;
  }): Promise<number> {
    const id = await this.store.request((wanted): OperatorAction => ({
      id: `wallet-ledger:solvency.snapshot:${wanted}`,
      at: this.clock.now(),
      ...by,
      action: 'solvency.snapshot',
      target: String(wanted),
      before: '',
      after: '',
    }));
    this.runtime.wake();
    for (const until = this.clock.real() + WAIT_MS; this.clock.real() < until && !(await this.store.isDone(id));)
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    return id;
  }
}

const atScale = (text: string, scale: number): string => formatUnits(toUnits(text, scale), scale);
