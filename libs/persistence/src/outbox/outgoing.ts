import { tracing, withTrace } from '@bourse/platform';
import type { EntityManager } from 'typeorm';
import type { Emission } from './outbox.js';
import type { OutboxRow, OutgoingMessage, Tx } from '../ports.js';

/**
 * The messages that a transaction sends and the callbacks that wait for its commit; the same for every kind of
 * database.
 */
export abstract class OutgoingTx implements Tx {
  protected emissions: Emission[] = [];
  protected readonly written: OutboxRow[] = [];
  private readonly after: (() => void)[] = [];
  private over = false;

  abstract readonly manager: EntityManager;
  abstract query<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]>;
  abstract execute(sql: string, params?: readonly unknown[]): Promise<number>;
  abstract emitRows(rows: readonly OutboxRow[]): Promise<void>;
  /**
   * Last statements before the commit: number what was emitted, in the order of stream names. Returns all rows this
   * transaction sends.
   */
  abstract writeOutbox(): Promise<readonly OutboxRow[]>;
  protected abstract mark(what: 'savepoint' | 'release' | 'rollback'): Promise<void>;

  emit(topic: string, partition: number, message: OutgoingMessage): void {
    this.emissions.push({ topic, partition, message: tracing.on ? withTrace(message) : message });
  }

  afterCommit(callback: () => void): void {
    this.after.push(callback);
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const [emitted, after, written] = [this.emissions.length, this.after.length, this.written.length];
    await this.mark('savepoint');
    try {
      const result = await work();
      await this.mark('release');
      return result;
    } catch (error) {
      await this.mark('rollback');
      this.emissions.length = emitted;
      this.after.length = after;
      this.written.length = written;
      throw error;
    }
  }

  /** Committed or rolled back: from now on its connection may serve another caller. */
  end(): void {
    this.over = true;
  }

  /**
   * A statement after a failed one must not reach the connection: it would run alone, or in another caller's
   * transaction.
   */
  protected mustBeOpen(): void {
    if (this.over) throw new Error('invariant: a statement came after the end of its transaction');
  }

  /** Runs what waits for the commit. One failing callback must not keep the others from running. */
  committed(onError: (error: unknown) => void): void {
    for (const callback of this.after) {
      try {
        callback();
      } catch (error) {
        onError(error);
      }
    }
  }
}
