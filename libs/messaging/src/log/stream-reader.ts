import type { OutboxRow } from '@bourse/persistence';
import type { Position } from '../ownership/ownership.js';
import { chainFault } from './chain-fault.js';

/** The reason why a stream was stopped. */
export interface Fault {
  readonly stream: string;
  readonly number: number;
  readonly reason: string;
}

/**
 * One stream as its consumer sees it: rows go out in number order, each once, each chained to the one before. Rows that
 * came early are kept; a number known to exist but not here is missing and must be fetched.
 */
export class StreamReader {
  private readonly early = new Map<number, OutboxRow>();
  private highest: number;
  /** Set when the stream was stopped; nothing of it goes out any more. */
  fault: Fault | null = null;

  constructor(
    readonly stream: string,
    private position: Position,
  ) {
    this.highest = position.number;
  }

  /** Rows kept in memory. */
  get size(): number {
    return this.early.size;
  }
  /** The last number given out. */
  get number(): number {
    return this.position.number;
  }
  /** The highest number known to exist. */
  get reached(): number {
    return this.highest;
  }
  /** True if a row beyond the position is known to exist. */
  get waiting(): boolean {
    return this.fault === null && this.highest > this.position.number;
  }
  /** Number that is known to exist, comes next and is not here; null if there is none. */
  get missing(): number | null {
    return this.waiting && !this.early.has(this.position.number + 1) ? this.position.number + 1 : null;
  }

  /** The stream is known to reach this number. */
  reaches(number: number): void {
    if (number > this.highest) this.highest = number;
  }

  /** Takes a row, in any order; rows that were returned already are dropped. Returns true if it was kept. */
  offer(row: OutboxRow): boolean {
    this.reaches(row.number);
    if (row.number <= this.position.number || this.early.has(row.number)) return false;
    this.early.set(row.number, row);
    return true;
  }

  /** The next row, or null if it is not here. A row that does not continue the chain stops the stream. */
  next(): OutboxRow | null {
    if (this.fault) return null;
    const row = this.early.get(this.position.number + 1);
    if (!row) return null;
    this.early.delete(row.number);
    // A row with its messages comes from the process that has just computed its hash.
    const fault = chainFault(row, this.position, { hashed: row.messages === undefined });
    if (fault !== null) return this.stop(row.number, fault);
    this.position = { number: row.number, hash: row.hash };
    return row;
  }

  stop(number: number, reason: string): null {
    this.fault ??= { stream: this.stream, number, reason };
    this.early.clear();
    return null;
  }
}
