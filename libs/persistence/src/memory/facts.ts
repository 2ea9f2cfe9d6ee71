import type { Tx } from '../ports.js';
import { FactTable } from '../tables/tables.js';
import { runnerOf, type SchemaRunner } from './statement-runner.js';

/** Facts of an install and dead letters, on a server in memory. */
export class MemoryFacts extends FactTable {
  private letters = 0;
  constructor(private readonly database: SchemaRunner) {
    super();
  }

  claim(name: string, value: string): Promise<string> {
    return this.database.statement('claim a fact', async (at) => {
      await at.lock(`${this.database.schema}.meta`, name);
      const row = at.get<{ value: string }>(`${this.database.schema}.meta`, name);
      if (row) return row.value;
      await at.put(`${this.database.schema}.meta`, name, { value });
      return value;
    });
  }

  deadLetter(
    tx: Tx,
    letter: {
      readonly consumer: string;
      readonly stream: string;
      readonly number: number;
      readonly message: string;
      readonly error: string;
    },
  ): Promise<void> {
    return runnerOf(tx).statement('dead letter', (at) =>
      at.put(`${this.database.schema}.dead_letter`, `${letter.stream}#${letter.number}.${(this.letters += 1)}`, letter),
    );
  }
}
