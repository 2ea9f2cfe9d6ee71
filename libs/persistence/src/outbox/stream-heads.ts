import { chainHash, gatherByPartition, type Emission } from './outbox.js';
import type { Database, OutboxRow } from '../ports.js';

interface Head {
  next: number;
  hash: string;
}

/**
 * Numbers of the streams of a single writer, counted in memory under its ownership: no row lock, and the next batch may
 * be numbered while the commit of this one is under way. After a failed or uncertain commit throw it away and load
 * again.
 */
export class StreamHeads {
  private readonly staged: Map<string, Head>[] = [];

  private constructor(
    private readonly writer: string,
    private readonly heads: Map<string, Head>,
    private committed: Map<string, Head>,
  ) {}

  /**
   * Loads the heads; call it after ownership was taken. `writer` distinguishes the writers of one schema, e.g. the
   * partition's number: streams are named `<schema>.<writer>><topic>/<partition>`, so that no two writers share one.
   */
  static async load(database: Database, writer: string | number): Promise<StreamHeads> {
    const name = `${database.schema}.${writer}`;
    const rows = await database.tables.streams.heads(`${name}>`);
    const heads = new Map(rows.map((row) => [row.name, { next: row.next, hash: row.hash }]));
    return new StreamHeads(name, heads, new Map(heads));
  }

  /**
   * Numbers the messages of one commit: one row per partition. Pass the rows to `tx.emitRows`, then call `commit()` or
   * `rollback()`.
   */
  stage(emissions: readonly Emission[]): OutboxRow[] {
    const moved = new Map<string, Head>();
    const rows = gatherByPartition(this.writer, emissions).map((list): OutboxRow => {
      const head = this.heads.get(list.stream) ?? { next: 1, hash: '' };
      const hash = chainHash(head.hash, list.payload);
      const after = { next: head.next + 1, hash };
      this.heads.set(list.stream, after);
      moved.set(list.stream, after);
      return { ...list, number: head.next, previousHash: head.hash, hash };
    });
    this.staged.push(moved);
    return rows;
  }

  /** The oldest staged rows are durable. */
  commit(): void {
    for (const [stream, head] of this.staged.shift() ?? []) this.committed.set(stream, head);
  }

  /**
   * None of the staged rows will ever be durable: numbers go back to the last committed ones. Not for an uncertain
   * commit: then load again.
   */
  rollback(): void {
    this.staged.length = 0;
    this.heads.clear();
    for (const [stream, head] of this.committed) this.heads.set(stream, head);
  }
}
