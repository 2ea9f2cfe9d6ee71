import pg from 'pg';
import type { EntityManager } from 'typeorm';
import { APPEND_ROWS_SQL, appendParams, forked } from '../outbox/outbox.js';
import { OutgoingTx } from '../outbox/outgoing.js';
import type { OutboxRow } from '../ports.js';
import { requireStatementName } from './transaction.js';

interface Recorded {
  readonly sql: string;
  readonly params: readonly unknown[];
  resolve(result: pg.QueryResult): void;
  reject(error: unknown): void;
}
type Connection = pg.Connection & {
  readonly parsedStatements: Record<string, string | undefined>;
  bind(config: object, more?: boolean): void;
  execute(config: object, more?: boolean): void;
  describe(message: object, more?: boolean): void;
};

/**
 * A transaction that travels in one message: all its statements, then one Sync, which commits them. The server undoes
 * everything at the first statement that fails, so whatever must hold is refused by a statement (`refuse`), never by
 * looking at a result. Statements are recorded until the work waits for the first result; the last one must be the
 * consumer's compare-and-set.
 */
export class AtOnceTx extends OutgoingTx {
  private readonly statements: Recorded[] = [];
  private sent = false;

  get manager(): EntityManager {
    throw new Error('invariant: a transaction that travels at once has no entities');
  }

  async query<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]> {
    return (await this.record(sql, params)).rows as R[];
  }
  async execute(sql: string, params?: readonly unknown[]): Promise<number> {
    return (await this.record(sql, params)).rowCount ?? 0;
  }

  private record(sql: string, params: readonly unknown[] = []): Promise<pg.QueryResult> {
    if (this.sent)
      throw new Error('invariant: a statement came after its transaction had been sent: none may wait for a result');
    return new Promise((resolve, reject) => {
      this.statements.push({ sql, params, resolve, reject });
    });
  }

  emitRows(rows: readonly OutboxRow[]): Promise<void> {
    if (rows.length === 0) return Promise.resolve();
    this.written.push(...rows);
    return this.query(APPEND_ROWS_SQL, appendParams(rows)).then(
      () => undefined,
      (error: unknown) => {
        throw forked(error, rows);
      },
    );
  }

  writeOutbox(): Promise<readonly OutboxRow[]> {
    if (this.emissions.length > 0)
      throw new Error('invariant: a transaction that travels at once numbers its rows itself');
    return Promise.resolve(this.written);
  }

  protected mark(): Promise<void> {
    throw new Error('invariant: a transaction that travels at once has no parts');
  }

  /** Sends what was recorded; resolves when it is committed. Statements are prepared once a connection. */
  async send(client: pg.PoolClient, { relaxed }: { readonly relaxed: boolean }): Promise<void> {
    this.sent = true;
    const { statements } = this;
    if (relaxed) statements.unshift({ sql: RELAX_SQL, params: [], resolve: () => undefined, reject: () => undefined });
    try {
      const { connection } = client as unknown as { connection: Connection };
      for (const { sql } of statements) {
        const name = requireStatementName(sql);
        if (connection.parsedStatements[name] !== undefined) continue;
        await client.query(`prepare "${name}" as ${sql}`);
        connection.parsedStatements[name] = sql;
      }
      const results = await new Promise<pg.QueryResult[]>((resolve, reject) => {
        client.query(
          new Travelling(statements, (error, found) => {
            if (error) reject(error);
            else resolve(found as unknown as pg.QueryResult[]);
          }) as never,
        );
      });
      statements.forEach(({ resolve }, index) => {
        resolve(results[index] as pg.QueryResult);
      });
    } catch (error) {
      for (const { reject } of statements) reject(error);
      throw error;
    }
  }
}

const RELAX_SQL = `select set_config('synchronous_commit', 'off', true)`;

/** The driver's query that carries several prepared statements between one pair of messages. */
class Travelling extends (pg.Query as unknown as new (
  config: object,
  values: undefined,
  callback: (error: Error | null, results: unknown) => void,
) => { _results: unknown; handleCommandComplete(message: unknown): void; _result: pg.QueryResult }) {
  constructor(
    private readonly statements: readonly Recorded[],
    callback: (error: Error | null, results: unknown) => void,
  ) {
    super({ text: '' }, undefined, callback);
  }

  submit(connection: Connection): null {
    connection.stream.cork();
    try {
      for (const { sql, params } of this.statements) {
        connection.bind({ portal: '', statement: requireStatementName(sql), values: params, valueMapper: asText });
        connection.describe({ type: 'P', name: '' });
        connection.execute({ portal: '' });
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  /** One result per statement, even for a single statement. */
  handleReadyForQuery(this: Travelling & { callback: (error: Error | null, results: unknown) => void }): void {
    this.callback(null, Array.isArray(this._results) ? this._results : [this._results]);
  }
}

/** Parameters are texts, numbers or nothing here; lists come as columns. */
function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') throw new Error('invariant: a list is passed as a column');
  return String(value as string | number | boolean);
}
