import type pg from 'pg';
import type { QueryRunner } from 'typeorm';
import type { TransactionOptions } from '../ports.js';
import { BY_KEY, STALE_PLAN } from './plans.js';
import type { Session } from './transact.js';
import { PostgresTx } from './transaction.js';

/** One transaction on one connection of the pool. */
export class PostgresSession implements Session {
  readonly tx: PostgresTx;

  constructor(
    private readonly runner: QueryRunner,
    private readonly client: pg.PoolClient,
    schema: string,
  ) {
    this.tx = new PostgresTx(client, runner, schema);
  }

  async begin({ isolation, relaxed, byKey }: TransactionOptions): Promise<void> {
    await this.runner.startTransaction(isolation === 'repeatable read' ? 'REPEATABLE READ' : undefined);
    const settings = [...(relaxed ? ['synchronous_commit'] : []), ...(byKey ? BY_KEY : [])];
    if (settings.length === 0) return;
    // Sent with the first statement; when it fails, so does each statement after it.
    this.client.query(settings.map((setting) => `set local ${setting} = off`).join('; ')).catch(() => undefined);
  }

  commit(): Promise<void> {
    return this.runner.commitTransaction();
  }

  async rollBack(reason: unknown): Promise<void> {
    try {
      await this.runner.rollbackTransaction();
      // A statement prepared before a migration changed its table: this connection would fail on it for ever.
      if (reason instanceof Error && reason.message.includes(STALE_PLAN)) return await this.discard();
    } catch {
      await this.discard(); // the connection is gone, and the transaction with it
      return;
    }
    await this.release();
  }

  /** A connection that was ended is thrown away by the pool. */
  async discard(): Promise<void> {
    this.client.end().catch(() => undefined); // it may be gone
    await this.release();
  }

  release(): Promise<void> {
    return this.runner.release();
  }
}
