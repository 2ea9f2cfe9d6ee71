import { createHash } from 'node:crypto';
import type { ChainName } from '@bourse/contract';
import type { Database, Tx } from '@bourse/persistence';

/** Validity of a read of the tips: many callers need it at the same moment, and a slightly older tip is valid too. */
const FRESH_MS = 300;

/** A branch of blocks from a height on. The last fork that covers a height wins. */
type Fork = readonly [from: number, branch: number];
export interface Tip {
  readonly height: number;
  readonly forks: readonly Fork[];
  /** Highest block that holds anything, or will; -1: none. */ readonly last: number;
}
interface TipRow {
  readonly name: ChainName;
  readonly height: string;
  readonly branches: readonly Fork[];
  readonly last?: string | null;
}

/** The content of a simulated transaction. */
export interface SimulatedTransfer {
  readonly txId: string;
  readonly output: number;
  readonly address: string;
  readonly memo: string;
  readonly contract: string;
  readonly amount: bigint;
  /** Of our own payments only. */
  readonly nonce?: number;
  readonly fee?: bigint;
  readonly success?: boolean;
}

/**
 * Blocks of all simulated chains of a demo install. Blocks have no rows: heights follow from the time since the chains
 * began, and hashes from heights, so every process sees the same chain.
 */
export class SimulatedBlocks {
  private known: { readonly at: number; readonly tips: Promise<ReadonlyMap<ChainName, Tip>> } | undefined;

  constructor(
    readonly database: Database,
    private readonly chains: readonly ChainName[],
  ) {}

  /** Starts the chains that have not started. */
  async begin(): Promise<void> {
    await this.database.execute(
      'insert into sim_chain (chain, born_at) select unnest($1::text[]), now() on conflict do nothing',
      [this.chains],
    );
  }

  async tip(chain: ChainName): Promise<Tip> {
    if (!this.known || performance.now() - this.known.at > FRESH_MS) {
      const tips = this.database.query<TipRow>('select * from sim_tips()').then(byName);
      this.known = { at: performance.now(), tips };
      tips.catch(() => {
        this.known = undefined;
      });
    }
    return one(await this.known.tips, chain);
  }

  /** Adds blocks to every simulated chain. Returns the resulting height. */
  async add(count: number): Promise<number> {
    const height = await this.alone(async (tx, tips) => {
      await tx.execute('update sim_chain set extra = extra + $1 where chain = any($2)', [count, this.chains]);
      return Math.max(...this.chains.map((chain) => one(tips, chain).height)) + count;
    });
    this.known = undefined;
    return height;
  }

  /**
   * Puts a payment into the next block. A payment that is already in a block stays there; one that a fork has dropped
   * is mined again.
   */
  async put(chain: ChainName, transfer: SimulatedTransfer): Promise<void> {
    await this.alone(async (tx, tips) => {
      await this.insert(tx, chain, one(tips, chain).height + 1, transfer);
    });
  }

  /**
   * Accepts one of our payments as a node would: a nonce is spent once. A pending payment is replaced by one with a
   * higher fee; a mined one is final.
   */
  async pay(
    chain: ChainName,
    transfer: SimulatedTransfer & { readonly nonce: number; readonly fee: bigint },
  ): Promise<void> {
    await this.alone(async (tx, tips) => {
      const { height } = one(tips, chain);
      const [other] = await tx.query<{ tx_id: string; height: string; fee: string }>(
        'select tx_id, height, fee::text from sim_transfer where chain = $1 and nonce = $2 and height is not null',
        [chain, transfer.nonce],
      );
      if (
        other &&
        (other.tx_id === transfer.txId || Number(other.height) <= height || BigInt(other.fee) >= transfer.fee)
      )
        return;
      if (other)
        await tx.execute('update sim_transfer set height = null where chain = $1 and tx_id = $2', [chain, other.tx_id]);
      await this.insert(tx, chain, height + 1, transfer);
    });
  }

  /**
   * For tests: replaces the last `depth` blocks. `fate` returns for each transaction in them how many blocks later it
   * is mined now, or null: never.
   */
  async fork(chain: ChainName, depth: number, fate: (txId: string) => number | null = () => 0): Promise<void> {
    await this.alone(async (tx, tips) => {
      const { height, forks } = one(tips, chain);
      const from = height - depth + 1;
      for (const row of await tx.query<{ tx_id: string }>(
        'select distinct tx_id from sim_transfer where chain = $1 and height >= $2',
        [chain, from],
      )) {
        const later = fate(row.tx_id);
        await tx.execute('update sim_transfer set height = height + $3 where chain = $1 and tx_id = $2', [
          chain,
          row.tx_id,
          later,
        ]);
      }
      await tx.execute('update sim_chain set forks = forks || $2::jsonb where chain = $1', [
        chain,
        JSON.stringify([[from, forks.length + 1]]),
      ]);
    });
    this.known = undefined;
  }

  private insert(
    tx: Tx,
    chain: ChainName,
    height: number,
    { txId, output, address, memo, contract, amount, nonce, fee = 0n, success = true }: SimulatedTransfer,
  ): Promise<number> {
    return tx.execute(
      `insert into sim_transfer (chain, tx_id, output, height, address, memo, contract, amount, nonce, fee, success)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      on conflict (chain, tx_id, output) do update set height = excluded.height where sim_transfer.height is null`,
      [chain, txId, output, height, address, memo, contract, amount.toString(), nonce ?? null, fee.toString(), success],
    );
  }

  private alone<T>(work: (tx: Tx, tips: ReadonlyMap<ChainName, Tip>) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) =>
      work(tx, byName(await tx.query<TipRow>('select * from sim_tips_alone()'))),
    );
  }
}

/** Hash of a block. */
export function hashOf(chain: ChainName, height: number, forks: readonly Fork[]): string {
  const branch = forks.findLast(([from]) => from <= height)?.[1] ?? 0;
  return createHash('sha256').update(`simulated block|${chain}|${height}|${branch}`).digest('hex');
}

const byName = (rows: readonly TipRow[]): ReadonlyMap<ChainName, Tip> =>
  new Map(
    rows.map(({ name, height, branches, last }) => [
      name,
      { height: Number(height), forks: branches, last: Number(last ?? -1) },
    ]),
  );

function one(tips: ReadonlyMap<ChainName, Tip>, chain: ChainName): Tip {
  const tip = tips.get(chain);
  if (!tip) throw new Error(`invariant: the simulated chain ${chain} has not begun`);
  return tip;
}
