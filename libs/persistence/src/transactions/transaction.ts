import { createHash } from 'node:crypto';
import type { PoolClient, QueryResult } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { APPEND_ROWS_SQL, APPEND_SQL, appendParams, forked, gatherByPartition } from '../outbox/outbox.js';
import { OutgoingTx } from '../outbox/outgoing.js';
import type { OutboxRow } from '../ports.js';

/**
 * Statements that a transaction repeats are prepared once per connection under a name; more than this many are not
 * worth their memory.
 */
const NAMED_STATEMENTS_MAX = 1_000;
const names = new Map<string, string>();

/** Name of a prepared statement, or undefined once there are too many different ones. */
function statementName(sql: string): string | undefined {
  return names.get(sql) ?? (names.size < NAMED_STATEMENTS_MAX ? requireStatementName(sql) : undefined);
}

/**
 * Name of a statement that can only be sent prepared. These are the few of the hot paths: the limit, which a process
 * of all services reaches by its other statements, does not hold for them.
 */
export function requireStatementName(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = `b${createHash('sha256').update(sql).digest('base64url').slice(0, 24)}`;
    names.set(sql, name);
  }
  return name;
}

/** Runs one statement, prepared under a name when it has parameters. */
export function run(
  client: Pick<PoolClient, 'query'>,
  sql: string,
  params: readonly unknown[] | undefined,
): Promise<QueryResult> {
  if (params === undefined || params.length === 0) return client.query(sql);
  const name = statementName(sql);
  return name === undefined
    ? client.query(sql, params as unknown[])
    : client.query({ name, text: sql, values: params as unknown[] });
}

/** A transaction under way on one connection; made by `PostgresDatabase.transaction` alone. */
export class PostgresTx extends OutgoingTx {
  constructor(
    private readonly client: PoolClient,
    private readonly runner: QueryRunner,
    private readonly schema: string,
  ) {
    super();
  }

  get manager(): EntityManager {
    return this.runner.manager;
  }

  async query<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]> {
    this.mustBeOpen();
    return (await run(this.client, sql, params)).rows as R[];
  }

  async execute(sql: string, params?: readonly unknown[]): Promise<number> {
    this.mustBeOpen();
    return (await run(this.client, sql, params)).rowCount ?? 0;
  }

  async emitRows(rows: readonly OutboxRow[]): Promise<void> {
    if (rows.length === 0) return;
    try {
      await this.query(APPEND_ROWS_SQL, appendParams(rows));
    } catch (error) {
      throw forked(error, rows);
    }
    this.written.push(...rows);
  }

  /** One that was rolled back to is released too: a savepoint around it has the same name. */
  protected async mark(what: 'savepoint' | 'release' | 'rollback'): Promise<void> {
    const sql = {
      savepoint: 'savepoint part',
      release: 'release savepoint part',
      rollback: 'rollback to savepoint part; release savepoint part',
    };
    await this.client.query(sql[what]);
  }

  /**
   * Last statements before the commit: number what was emitted, in the order of stream names. Returns all rows this
   * transaction sends.
   */
  async writeOutbox(): Promise<readonly OutboxRow[]> {
    for (const { stream, topic, partition, payload, messages } of gatherByPartition(this.schema, this.emissions)) {
      const [head] = await this.query<{ number: string; previous_hash: string; hash: string }>(APPEND_SQL, [
        stream,
        payload,
        topic,
        partition,
      ]);
      if (!head) throw new Error(`invariant: no head for ${stream}`);
      this.written.push({
        stream,
        number: Number(head.number),
        topic,
        partition,
        previousHash: head.previous_hash,
        hash: head.hash,
        payload,
        messages,
      });
    }
    this.emissions = [];
    return this.written;
  }
}
