import type { NetworkRow } from '@bourse/contract';
import type { Lease } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import type { Alarms, Clock } from '@bourse/platform';
import { randomId } from '@bourse/platform';
import { creditOf } from '../domain/deposit.js';
import {
  ChainUnavailable,
  type Chain,
  type ChainBlock,
  type IncomingTransfer,
} from '../../chains/application/chain.js';
import type { UseCaseDatabase } from '../../../ledger/application/use-case-database.js';
import type { ConfirmDeposit } from './confirm-deposit.js';
import type { DepositAddressStore, DepositStore, NewDeposit, SeenBlock } from './ports.js';

/** Blocks below the newest that stay known: the maximum depth of a reorganisation. */
const KNOWN_BLOCKS = 100;
/** The newest block of a node is older than this many block times only if the node has stalled. */
const STALE_BLOCKS = 25;
/** Blocks per step, so that the lease is checked regularly during a long catch-up. */
const BLOCKS_AT_ONCE = 50;
const DEPOSITS_AT_ONCE = 100;
/** Interval, real ms, in which the next due deposit is read: one whose return has failed is due without a new block. */
const DUE_READ_MS = 10_000;

export interface WatchParts {
  readonly chain: Chain;
  readonly database: UseCaseDatabase;
  readonly store: DepositStore;
  readonly addresses: DepositAddressStore;
  readonly confirm: ConfirmDeposit;
  /** Networks of the chain, by the current settings. */
  readonly networks: () => readonly NetworkRow[];
  readonly scaleOf: (currency: number) => number | undefined;
  readonly alarms: Alarms;
  readonly clock: Clock;
}

/**
 * Follows one chain under a lease: finds payments to us, assigns them to their blocks, detaches them after a
 * reorganisation, and has those with enough confirmations booked. Its memory only avoids repeated reads while nothing
 * happens; the stored rows are authoritative.
 */
export class WatchChain {
  private at: SeenBlock | null = null;
  /** Height at which the next deposit is due; null: none is waiting. */
  private dueAt: number | null = null;
  /** When that was read, real ms. */
  private dueReadAt = Number.NEGATIVE_INFINITY;
  /** Whether a reorganisation may have dropped booked money, so that the alarm must be checked. */
  private mayHaveReorged = true;

  constructor(private readonly parts: WatchParts) {}

  /**
   * Drops the memory, so that the next step begins from the rows. Called after any failure, and with every new lease.
   */
  forget(): void {
    [this.at, this.dueAt, this.mayHaveReorged] = [null, null, true];
  }

  /**
   * Advances the rows towards the chain's tip by one step. True if there is more to do at once.
   *
   * @throws ChainUnavailable when the node gives no answer, is behind our blocks, or has stalled.
   */
  async step(lease: Lease): Promise<boolean> {
    const { chain, store } = this.parts;
    const tip = await chain.tip();
    this.at ??= await this.begin(lease, tip);
    // The node is behind, or on a shorter branch: that branch, if real, will grow, and then its block at our height
    // differs.
    if (tip.height < this.at.height)
      throw new ChainUnavailable(`${chain.name}: the node is at block ${tip.height}, and ours is ${this.at.height}`);
    const hash = tip.height === this.at.height ? tip.hash : await this.hashAt(this.at.height);
    if (hash !== this.at.hash) {
      await this.handleReorg(lease);
      return true;
    }
    const before = this.at.height;
    const isThere = await this.advance(lease, tip);
    if (this.parts.clock.real() - this.dueReadAt >= DUE_READ_MS) await this.readDue();
    if (this.dueAt !== null && this.at.height >= this.dueAt) {
      for (const id of await store.due(chain.name, this.at.height, DEPOSITS_AT_ONCE))
        await this.parts.database.transaction(async (tx) => {
          await lease.fence(tx);
          await this.parts.confirm.execute(tx, id, this.at?.height ?? 0);
        });
      await this.readDue();
    }
    if (isThere && this.mayHaveReorged) await this.alarmLostDeposits();
    // Without progress the node is queried again after a pause, not at once.
    const isMore = (!isThere && this.at.height > before) || (this.dueAt !== null && this.at.height >= this.dueAt);
    if (!isMore) this.demandFresh(tip);
    return isMore;
  }

  /** A node that has stalled answers everything, and deposits wait for blocks that it does not have. */
  private demandFresh({ height, at }: ChainBlock): void {
    const { chain, clock } = this.parts;
    const age = at === null ? 0 : clock.real() - at;
    if (age > STALE_BLOCKS * chain.blockMs)
      throw new ChainUnavailable(
        `${chain.name}: the node has stalled: its newest block ${height} is ${Math.floor(age / 60_000)} minutes old`,
      );
  }

  /**
   * Resumes at the newest stored block; on a chain never watched before, some blocks below the tip, stored at once so
   * that from now on nothing is missed.
   */
  private async begin(lease: Lease, tip: ChainBlock): Promise<SeenBlock> {
    const { chain, store, database } = this.parts;
    await this.readDue();
    const [newest] = await store.blocks(chain.name);
    if (newest) return newest;
    const first = (await chain.blockAt(Math.max(0, tip.height - KNOWN_BLOCKS))) ?? tip;
    await database.transaction(async (tx) => {
      await lease.fence(tx);
      await store.note(tx, chain.name, first, [], KNOWN_BLOCKS);
    });
    return first;
  }

  /** True when it has reached the tip. */
  private async advance(lease: Lease, tip: ChainBlock): Promise<boolean> {
    const { chain } = this.parts;
    for (let blocks = 0; blocks < BLOCKS_AT_ONCE; blocks++) {
      const before = this.position();
      if (before.height >= tip.height) return true;
      const quiet = Math.min(await chain.quietUntil(before.height), tip.height);
      if (quiet > before.height) {
        const block = await chain.blockAt(quiet);
        // Read again after the block above it: both belong to one branch, or the next step goes back.
        if (!block || (await chain.blockAt(before.height))?.hash !== before.hash) return false;
        this.at = block;
        continue;
      }
      const block = await chain.blockAt(before.height + 1);
      if (block?.parentHash !== before.hash) return false;
      await this.take(lease, block);
    }
    return this.position().height >= tip.height;
  }

  /** Stores one block with its deposits. An empty block is not stored if the chain can report empty blocks. */
  private async take(lease: Lease, block: ChainBlock): Promise<void> {
    const { chain, store, addresses, database } = this.parts;
    const transfers = await chain.incoming(block, (texts) => addresses.known(chain.name, texts));
    const deposits = (await Promise.all(transfers.map((transfer) => this.deposit(transfer, block)))).filter(
      (deposit) => deposit !== null,
    );
    if (deposits.length > 0 || !chain.simulated) {
      await database.transaction(async (tx) => {
        await lease.fence(tx);
        this.parts.confirm.seen(tx, await store.note(tx, chain.name, block, deposits, KNOWN_BLOCKS));
      });
    }
    this.at = block;
    if (deposits.length === 0) return;
    await this.readDue();
    this.mayHaveReorged = true;
  }

  /**
   * Null if it is no deposit: its contract belongs to no network of ours, or its amount is less than the ledger's
   * smallest unit.
   */
  private async deposit(
    { txId, output, address, memo, contract, amount }: IncomingTransfer,
    { height }: ChainBlock,
  ): Promise<NewDeposit | null> {
    const { chain, networks, scaleOf, addresses, clock } = this.parts;
    const network = networks().find((candidate) => candidate.contractAddress === contract);
    const scale = network && scaleOf(network.currencyId);
    if (!network || scale === undefined) return null;
    const credit = creditOf(amount, network.chainScale, scale);
    if (credit === 0n) return null;
    return {
      id: randomId(),
      networkId: network.id,
      chain: chain.name,
      contract,
      txId,
      output,
      address,
      memo,
      userId: await addresses.owner(chain.name, { address, memo: network.memo ? memo : '' }),
      currencyId: network.currencyId,
      amount: formatUnits(credit, scale),
      chainAmount: amount,
      height,
      needed: network.confirmations,
      minimum: network.minDeposit,
      seenAt: clock.now(),
    };
  }

  /**
   * The node's hash at a height below its tip.
   *
   * @throws ChainUnavailable when it has no block there. Behind one address there may be several nodes, one of them
   *   behind the others: a missing block is not another block.
   */
  private async hashAt(height: number): Promise<string> {
    const { chain } = this.parts;
    const block = await chain.blockAt(height);
    if (!block) throw new ChainUnavailable(`${chain.name}: the node has no block ${height}, below its own tip`);
    return block.hash;
  }

  /** The chain was reorganised: goes back to the last block that both branches have. */
  private async handleReorg(lease: Lease): Promise<void> {
    const { chain, store, database, alarms } = this.parts;
    const known = await store.blocks(chain.name);
    for (const block of known) {
      if ((await this.hashAt(block.height)) !== block.hash) continue;
      await database.transaction(async (tx) => {
        await lease.fence(tx);
        await store.orphan(tx, chain.name, block.height);
      });
      this.forget();
      this.at = block;
      await this.readDue();
      return;
    }
    const depth =
      `${chain.name} was reorganised below block ${known.at(-1)?.height ?? 0}, ` +
      'the lowest known one; its deposits are stopped, and its withdrawals are closed until an operator reopens it';
    await database.transaction(async (tx) => {
      await lease.fence(tx);
      await store.close(tx, chain.name, depth);
    });
    alarms.raise(reorgAlarm(chain.name), depth);
    throw new Error(depth);
  }

  /**
   * Booked money is in no block any more, or may be: an operator must decide. It may still come back in a later block.
   */
  private async alarmLostDeposits(): Promise<void> {
    const { chain, store, alarms } = this.parts;
    const [closed, lost] = [await store.closedFor(chain.name), await store.lost(chain.name)];
    if (closed !== null) alarms.raise(reorgAlarm(chain.name), closed);
    else if (lost.length > 0)
      alarms.raise(
        reorgAlarm(chain.name),
        `${lost.length} booked deposits of ${chain.name} are in no block any more (${lost
          .slice(0, 5)
          .map(({ id, txId }) => `${id}: ${txId}`)
          .join(', ')}); its withdrawals are closed`,
      );
    else alarms.clear(reorgAlarm(chain.name));
    // An operator reopens the chain by a change of the table, so it is read again.
    this.mayHaveReorged = closed !== null;
  }

  private async readDue(): Promise<void> {
    const { chain, store, clock } = this.parts;
    this.dueAt = await store.nextDue(chain.name);
    this.dueReadAt = clock.real();
  }

  private position(): SeenBlock {
    if (!this.at) throw new Error('invariant: the watch of a chain was not begun');
    return this.at;
  }
}

export const reorgAlarm = (chain: string): string => `chain:${chain}:reorg`;
