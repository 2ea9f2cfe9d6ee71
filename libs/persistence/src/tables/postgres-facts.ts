import type { Database, Tx } from '../ports.js';
import { FactTable } from './tables.js';

/** Facts of an install and dead letters, in PostgreSQL. */
export class PostgresFacts extends FactTable {
  constructor(private readonly database: Database) {
    super();
  }

  async claim(name: string, value: string): Promise<string> {
    await this.database.execute('insert into meta (name, value) values ($1, $2) on conflict do nothing', [name, value]);
    const [row] = await this.database.query<{ value: string }>('select value from meta where name = $1', [name]);
    if (!row) throw new Error(`invariant: ${name} was stored and is not there`);
    return row.value;
  }

  async deadLetter(
    tx: Tx,
    {
      consumer,
      stream,
      number,
      message,
      error,
    }: {
      readonly consumer: string;
      readonly stream: string;
      readonly number: number;
      readonly message: string;
      readonly error: string;
    },
  ): Promise<void> {
    await tx.execute('insert into dead_letter (consumer, stream, number, message, error) values ($1, $2, $3, $4, $5)', [
      consumer,
      stream,
      number,
      message,
      error,
    ]);
  }
}
