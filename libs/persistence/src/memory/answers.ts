import type { Tx } from '../ports.js';
import { AnswerTable, type AnswerRow, type Where } from '../tables/tables.js';
import { MemoryError, type Statement } from './server.js';
import { runnerOf, type SchemaRunner } from './statement-runner.js';

interface Answer {
  readonly bodyHash: string | null;
  readonly state: AnswerRow['state'];
  readonly answer: string | null;
  readonly createdAt: number;
  readonly until: number;
}

const DAY_MS = 86_400_000;
/** Whether this is an answer that has expired. */
const isExpired = ({ state, until }: Answer, { began }: Statement): boolean => state === 'done' && until <= began;

/** Answers by idempotency key, on a server in memory. */
export class MemoryAnswers extends AnswerTable {
  constructor(private readonly database: SchemaRunner) {
    super();
  }
  private get table(): string {
    return `${this.database.schema}.answers`;
  }

  claim(commandId: string, bodyHash: string | null, pendingSeconds: number, openSeconds: number): Promise<boolean> {
    return this.database.statement('claim an answer', async (at) => {
      await at.lock(this.table, commandId);
      const row = at.get<Answer>(this.table, commandId);
      if (
        row &&
        !isExpired(row, at) &&
        !(row.state === 'pending' && row.bodyHash === bodyHash && row.createdAt < at.began - pendingSeconds * 1_000)
      )
        return false;
      await at.put(this.table, commandId, {
        bodyHash,
        state: 'pending',
        answer: null,
        createdAt: at.began,
        until: at.began + openSeconds * 1_000,
      } satisfies Answer);
      return true;
    });
  }

  open(tx: Tx, commandId: string, bodyHash: string | null): Promise<boolean> {
    return runnerOf(tx).statement('open an answer', async (at) => {
      await at.lock(this.table, commandId);
      const row = at.get<Answer>(this.table, commandId);
      if (row && !(row.state === 'pending' && row.bodyHash === bodyHash)) return false;
      await at.put(this.table, commandId, {
        bodyHash,
        state: 'open',
        answer: null,
        createdAt: row?.createdAt ?? at.began,
        until: Infinity,
      } satisfies Answer);
      return true;
    });
  }

  conclude(tx: Tx, commandId: string, answer: string, keptDays: number): Promise<void> {
    return runnerOf(tx).statement('conclude an answer', async (at) => {
      await this.store(at, commandId, { bodyHash: null, answer, keptDays, from: ['pending', 'open'] });
    });
  }

  drop(commandId: string): Promise<void> {
    return this.database.statement('drop a claim', async (at) => {
      await at.lock(this.table, commandId);
      if (at.get<Answer>(this.table, commandId)?.state === 'pending') await at.put(this.table, commandId, null);
    });
  }

  record(where: Where, commandId: string, answer: string, keptDays: number): Promise<boolean> {
    return runnerOf(where).statement('record an answer', (at) =>
      this.store(at, commandId, { bodyHash: null, answer, keptDays, from: ['pending'] }),
    );
  }

  recordAll(
    tx: Tx,
    rows: readonly { readonly commandId: string; readonly bodyHash: string | null; readonly answer: string }[],
    keptDays: number,
  ): Promise<ReadonlyMap<string, string>> {
    return runnerOf(tx).statement('record answers', async (at) => {
      const stood = new Map<string, string>();
      // PostgreSQL refuses a statement that names a row twice.
      if (new Set(rows.map(({ commandId }) => commandId)).size !== rows.length)
        throw new MemoryError('ON CONFLICT DO UPDATE command cannot affect row a second time', '21000');
      for (const { commandId, bodyHash, answer } of rows) {
        const before = at.get<Answer>(this.table, commandId);
        if (before?.state === 'done' && before.answer !== null && !isExpired(before, at))
          stood.set(commandId, before.answer);
        await this.store(at, commandId, { bodyHash, answer, keptDays, from: ['pending'] });
      }
      return stood;
    });
  }

  private async store(
    at: Statement,
    commandId: string,
    {
      bodyHash,
      answer,
      keptDays,
      from,
    }: {
      readonly bodyHash: string | null;
      readonly answer: string;
      readonly keptDays: number;
      readonly from: readonly AnswerRow['state'][];
    },
  ): Promise<boolean> {
    await at.lock(this.table, commandId);
    const row = at.get<Answer>(this.table, commandId);
    if (row && !from.includes(row.state) && !isExpired(row, at)) return false;
    await at.put(this.table, commandId, {
      bodyHash: row ? row.bodyHash : bodyHash,
      state: 'done',
      answer,
      createdAt: row?.createdAt ?? at.began,
      until: at.began + keptDays * DAY_MS,
    } satisfies Answer);
    return true;
  }

  find(commandId: string): Promise<AnswerRow | null> {
    return this.database.statement('find an answer', async (at) => {
      const row = at.get<Answer>(this.table, commandId);
      return row ? { bodyHash: row.bodyHash, state: row.state, answer: row.answer, live: row.until > at.began } : null;
    });
  }
}
