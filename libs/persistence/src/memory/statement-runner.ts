import type { Where } from '../tables/tables.js';
import type { Statement } from './server.js';

/** Runs statements: a transaction, or a database where each statement has a transaction of its own. */
export interface StatementRunner {
  statement<T>(what: string, work: (statement: Statement) => Promise<T>): Promise<T>;
}
/** A database in memory that runs statements, with the schema in which its tables are. */
export interface SchemaRunner extends StatementRunner {
  readonly schema: string;
}

/** A database or transaction in memory as what runs its statements. */
export const runnerOf = (where: Where): StatementRunner => where as unknown as StatementRunner;
