import { jsonColumn, jsonValues, nameColumn, numberColumn } from '../columns.js';
import type { Database, Tx } from '../ports.js';
import { batched } from './batched.js';
import { AnswerTable, type AnswerRow, type Concluded, type Where } from './tables.js';

interface Claim {
  readonly commandId: string;
  readonly bodyHash: string | null;
  readonly pendingSeconds: number;
  readonly openSeconds: number;
}

/** Answers by idempotency key, in PostgreSQL. */
export class PostgresAnswers extends AnswerTable {
  private readonly claimed = batched((claims: readonly Claim[]) => this.claimAll(claims));
  private readonly found = batched((ids: readonly string[]) => this.findAll(ids));
  constructor(private readonly database: Database) {
    super();
  }

  claim(commandId: string, bodyHash: string | null, pendingSeconds: number, openSeconds: number): Promise<boolean> {
    return this.claimed({ commandId, bodyHash, pendingSeconds, openSeconds });
  }
  find(commandId: string): Promise<AnswerRow | null> {
    return this.found(commandId);
  }

  /** Of several claims of one id the first counts, as if they had arrived one after another. */
  private async claimAll(claims: readonly Claim[]): Promise<boolean[]> {
    const first = new Map<string, Claim>();
    for (const claim of claims) if (!first.has(claim.commandId)) first.set(claim.commandId, claim);
    // One lock order for all.
    const rows = [...first.values()].sort((a, b) => (a.commandId < b.commandId ? -1 : 1));
    const taken = await this.database.query<{ command_id: string }>(
      `with given as (select *
        from unnest($1::text[], $2::text[], $3::int[], $4::int[]) as c(command_id, body_hash, pending, open))
       insert into answers as a (command_id, body_hash, state, until)
       select command_id, body_hash, 'pending', now() + open * interval '1 second'
       from given
       on conflict (command_id) do update
         set body_hash = excluded.body_hash, state = 'pending', answer = null, created_at = now(),
           until = excluded.until
       where a.state = 'done' and a.until <= now()
         or a.state = 'pending' and a.body_hash is not distinct from excluded.body_hash
           and a.created_at < now() - (select g.pending from given g
             where g.command_id = excluded.command_id) * interval '1 second'
       returning a.command_id`,
      [
        nameColumn(rows.map((row) => row.commandId)),
        nameColumn(rows.map((row) => row.bodyHash)),
        numberColumn(rows.map((row) => row.pendingSeconds)),
        numberColumn(rows.map((row) => row.openSeconds)),
      ],
    );
    const ids = new Set(taken.map((row) => row.command_id));
    return claims.map((claim) => ids.has(claim.commandId) && first.get(claim.commandId) === claim);
  }

  private async findAll(ids: readonly string[]): Promise<(AnswerRow | null)[]> {
    const rows = await this.database.query<{
      command_id: string;
      body_hash: string | null;
      state: AnswerRow['state'];
      answer: string | null;
      live: boolean;
    }>(
      `select command_id, body_hash, state, answer, until > now() as live
        from answers
        where command_id = any($1::text[])`,
      [nameColumn(ids)],
    );
    const byId = new Map(
      rows.map((row) => [
        row.command_id,
        { bodyHash: row.body_hash, state: row.state, answer: row.answer, live: row.live },
      ]),
    );
    return ids.map((id) => byId.get(id) ?? null);
  }

  async open(tx: Tx, commandId: string, bodyHash: string | null): Promise<boolean> {
    const opened = await tx.execute(
      `insert into answers as a (command_id, body_hash, state, until) values ($1, $2, 'open', 'infinity')
       on conflict (command_id) do update set state = 'open', until = 'infinity'
       where a.state = 'pending' and a.body_hash is not distinct from excluded.body_hash`,
      [commandId, bodyHash],
    );
    return opened === 1;
  }

  conclude(tx: Tx, commandId: string, answer: string, keptDays: number): Promise<void> {
    return this.concludeAll(tx, [{ commandId, answer }], keptDays);
  }

  override async concludeAll(tx: Tx, rows: readonly Concluded[], keptDays: number): Promise<void> {
    await tx.execute(
      `insert into answers as a (command_id, state, answer, until)
        select command_id, 'done', answer, now() + interval '${keptDays} days'
        from unnest($1::text[], $2::text[]) as n(command_id, answer)
       on conflict (command_id) do update set state = 'done', answer = excluded.answer, until = excluded.until
       where a.state <> 'done' or a.until <= now()`,
      [rows.map(({ commandId }) => commandId), rows.map(({ answer }) => answer)],
    );
  }

  async drop(commandId: string): Promise<void> {
    await this.database.execute(`delete from answers where command_id = $1 and state = 'pending'`, [commandId]);
  }

  async record(where: Where, commandId: string, answer: string, keptDays: number): Promise<boolean> {
    const stored = await where.execute(
      `insert into answers (command_id, state, answer, until)
        values ($1, 'done', $2, now() + interval '${keptDays} days')
       on conflict (command_id) do update set state = 'done', answer = excluded.answer, until = excluded.until
       where answers.state = 'pending' or answers.until <= now()`,
      [commandId, answer],
    );
    return stored === 1;
  }

  async recordAll(
    tx: Tx,
    rows: readonly { readonly commandId: string; readonly bodyHash: string | null; readonly answer: string }[],
    keptDays: number,
  ): Promise<ReadonlyMap<string, string>> {
    const stood = await tx.query<{ command_id: string; answer: string }>(
      `with given as (select *
        from unnest($1::text[], $2::text[], ${jsonColumn('$3')}) as a(command_id, body_hash, answer)),
       stored as (
         insert into answers (command_id, body_hash, state, answer, until)
         select command_id, body_hash, 'done', answer, now() + interval '${keptDays} days'
         from given
         on conflict (command_id) do update set state = 'done', answer = excluded.answer, until = excluded.until
         where answers.state = 'pending' or answers.until <= now())
       select a.command_id, a.answer
       from answers a join given using (command_id)
       where a.state = 'done' and a.until > now()`,
      [
        nameColumn(rows.map((row) => row.commandId)),
        nameColumn(rows.map((row) => row.bodyHash)),
        jsonValues(rows.map((row) => row.answer)),
      ],
    );
    return new Map(stood.map((row) => [row.command_id, row.answer]));
  }
}
