import DataLoader from 'dataloader';
import { jsonColumn, jsonValues, nameColumn, numberColumn } from '../columns.js';
import { REFUSALS, refusalOf } from '../errors.js';
import type { Database, Tx } from '../ports.js';
import { PostgresSagas } from './postgres-sagas.js';
import {
  AnswerTable,
  FactTable,
  OwnerTable,
  StreamTable,
  TimerTable,
  type AnswerRow,
  type LibraryTables,
  type OwnedRow,
  type OwnerKey,
  type PositionRow,
  type PositionStep,
  type StreamHead,
  type TimerRow,
  type Where,
} from './tables.js';

/** The tables of `library-tables.ts` as PostgreSQL has them. */
export function postgresTables(database: Database): LibraryTables {
  return {
    owners: new PostgresOwners(database),
    streams: new PostgresStreams(database),
    answers: new PostgresAnswers(database),
    timers: new PostgresTimers(database),
    facts: new PostgresFacts(database),
    sagas: new PostgresSagas(database),
  };
}

/**
 * Compare-and-set on owner, offset in the log and positions; a first row of a stream (expected 0) makes its position.
 * Refuses by itself.
 */
const ADVANCE_SQL = `
  with steps as (select *
    from unnest($4::text[], $5::bigint[], $6::bigint[], $7::text[]) as s(stream, expected, number, hash)),
  owned as (
    update owner
    set lease_until = clock_timestamp() + $9::int * interval '1 ms', kafka_offset = coalesce($8::bigint, kafka_offset)
    where consumer = $1 and partition = $2::int and epoch = $3::bigint
      and (not $11::boolean or kafka_offset is not distinct from $12::bigint)
    returning 1),
  created as (
    insert into position as p (consumer, stream, number, hash)
    select $1, stream, number, hash
    from steps
    where expected = 0
    on conflict (consumer, stream) do update set number = excluded.number, hash = excluded.hash
    where p.number = 0
    returning 1),
  moved as (
    update position as p set number = s.number, hash = s.hash from steps s
    where s.expected > 0 and p.consumer = $1 and p.stream = s.stream and p.number = s.expected returning 1)
  select case
    when (select count(*)
      from owned) <> 1 then refuse('${REFUSALS.fenced}',
        'epoch has ended, or the log was not read up to where this batch began')
    when (select count(*) from created) + (select count(*)
      from moved) <> $10::int then refuse('${REFUSALS.fenced}', 'a position is not where this batch began')
    else $10::int end as moved`;

class PostgresOwners extends OwnerTable {
  constructor(private readonly database: Database) {
    super();
  }

  async take(consumer: string, partition: number, owner: string, leaseMs: number): Promise<OwnedRow | null> {
    await this.database.execute(
      `insert into owner (consumer, partition, owner, epoch, lease_until) values ($1, $2, '', 0, '-infinity')
        on conflict do nothing`,
      [consumer, partition],
    );
    const [row] = await this.database.query<{ epoch: string; kafka_offset: string | null }>(
      `update owner set epoch = epoch + 1, owner = $3, lease_until = clock_timestamp() + interval '${leaseMs} ms'
       where consumer = $1 and partition = $2 and (lease_until < clock_timestamp() or owner = $3)
       returning epoch, kafka_offset`,
      [consumer, partition, owner],
    );
    return row ? { epoch: Number(row.epoch), kafkaOffset: row.kafka_offset } : null;
  }

  /**
   * A row that a transaction holds right now is skipped: that transaction renews it itself. Not synced to disk: losing
   * it in a crash loses nothing.
   */
  async renew(asked: readonly OwnerKey[], leaseMs: number): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ consumer: string; partition: number; epoch: string }>(
      `with quick as materialized (select set_config('synchronous_commit', 'off', true)),
       mine as (
         select o.consumer, o.partition from owner o
         join unnest($1::text[], $2::int[], $3::bigint[]) as m(consumer, partition, epoch) using (consumer, partition)
         where o.epoch = m.epoch for update of o skip locked),
       renewed as (
         update owner o set lease_until = clock_timestamp() + interval '${leaseMs} ms' from mine, quick
         where o.consumer = mine.consumer and o.partition = mine.partition)
       select o.consumer, o.partition, o.epoch
       from owner o
       join unnest($1::text[], $2::int[]) as m(consumer, partition) using (consumer, partition)`,
      [asked.map((one) => one.consumer), asked.map((one) => one.partition), asked.map((one) => one.epoch)],
    );
    return new Map(rows.map((row) => [`${row.consumer}/${row.partition}`, Number(row.epoch)]));
  }

  async free({ consumer, partition, epoch }: OwnerKey): Promise<void> {
    await this.database.execute(
      `update owner set lease_until = '-infinity' where consumer = $1 and partition = $2 and epoch = $3`,
      [consumer, partition, epoch],
    );
  }

  async positions(consumer: string): Promise<readonly PositionRow[]> {
    const rows = await this.database.query<{ stream: string; number: string; hash: string }>(
      'select stream, number, hash from position where consumer = $1',
      [consumer],
    );
    return rows.map((row) => ({ stream: row.stream, number: Number(row.number), hash: row.hash }));
  }

  async advance(
    tx: Tx,
    {
      consumer,
      partition,
      epoch,
      kafkaOffset,
      kafkaFrom,
      leaseMs,
    }: OwnerKey & { readonly kafkaOffset: string | null; readonly kafkaFrom?: string | null; readonly leaseMs: number },
    steps: readonly PositionStep[],
  ): Promise<{ owned: boolean; moved: number }> {
    try {
      const [result] = await tx.query<{ moved: number }>(ADVANCE_SQL, [
        consumer,
        partition,
        epoch,
        nameColumn(steps.map((step) => step.stream)),
        numberColumn(steps.map((step) => step.expected)),
        numberColumn(steps.map((step) => step.number)),
        nameColumn(steps.map((step) => step.hash)),
        kafkaOffset,
        leaseMs,
        steps.length,
        kafkaFrom !== undefined,
        kafkaFrom ?? null,
      ]);
      return { owned: true, moved: result?.moved ?? 0 };
    } catch (error) {
      // Refused by the statement itself, so that nothing sent behind it can commit.
      if (refusalOf(error) !== REFUSALS.fenced) throw error;
      return { owned: !(error as Error).message.startsWith('epoch'), moved: 0 };
    }
  }

  async registerInstance(consumer: string, instance: string, leaseMs: number): Promise<number> {
    await this.database.execute(
      `insert into member (consumer, instance, seen_until) values ($1, $2, clock_timestamp() + interval '${leaseMs} ms')
       on conflict (consumer, instance) do update set seen_until = excluded.seen_until`,
      [consumer, instance],
    );
    const [row] = await this.database.query<{ count: number }>(
      'select count(*)::int as count from member where consumer = $1 and seen_until > clock_timestamp()',
      [consumer],
    );
    return row?.count ?? 0;
  }

  async unregisterInstance(consumer: string, instance: string): Promise<void> {
    await this.database.execute('delete from member where consumer = $1 and instance = $2', [consumer, instance]);
  }
}

class PostgresStreams extends StreamTable {
  constructor(private readonly database: Database) {
    super();
  }

  async heads(prefix = ''): Promise<readonly StreamHead[]> {
    const rows =
      prefix === ''
        ? await this.database.query<{ name: string; next: string; hash: string }>('select name, next, hash from stream')
        : await this.database.query<{ name: string; next: string; hash: string }>(
            'select name, next, hash from stream where starts_with(name, $1)',
            [prefix],
          );
    return rows.map((row) => ({ name: row.name, next: Number(row.next), hash: row.hash }));
  }

  async relayed(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ stream: string; sent: string }>('select stream, sent from relay');
    return new Map(rows.map((row) => [row.stream, Number(row.sent)]));
  }

  async saveRelayed(cursors: readonly (readonly [stream: string, sent: number])[]): Promise<void> {
    await this.database.execute(
      `insert into relay (stream, sent)
        select * from unnest($1::text[], $2::bigint[]) on conflict (stream)
        do update set sent = greatest(relay.sent, excluded.sent)`,
      [cursors.map(([stream]) => stream), cursors.map(([, sent]) => sent)],
    );
  }
}

interface Claim {
  readonly commandId: string;
  readonly bodyHash: string | null;
  readonly pendingSeconds: number;
  readonly openSeconds: number;
}
/** Claims and look-ups of one statement. */
const TOGETHER_MAX = 500;

/**
 * What is asked while a statement is under way is asked with the next one: each call with a key asks, and a round trip
 * costs more than what it asks for.
 */
function together<Q, A>(ask: (questions: readonly Q[]) => Promise<readonly A[]>): (question: Q) => Promise<A> {
  let underWay = Promise.resolve();
  const loader = new DataLoader<Q, A>(
    (questions) => {
      const answered = ask(questions);
      underWay = answered.then(
        () => undefined,
        () => undefined,
      );
      return answered;
    },
    {
      cache: false,
      maxBatchSize: TOGETHER_MAX,
      batchScheduleFn: (run) => {
        void underWay.then(run);
      },
    },
  );
  return (question) => loader.load(question);
}

class PostgresAnswers extends AnswerTable {
  private readonly claimed = together((claims: readonly Claim[]) => this.claimAll(claims));
  private readonly found = together((ids: readonly string[]) => this.findAll(ids));
  constructor(private readonly database: Database) {
    super();
  }

  claim(commandId: string, bodyHash: string | null, pendingSeconds: number, openSeconds: number): Promise<boolean> {
    return this.claimed({ commandId, bodyHash, pendingSeconds, openSeconds });
  }
  find(commandId: string): Promise<AnswerRow | null> {
    return this.found(commandId);
  }

  /** Of several claims of one id the first one counts, as if they had come one after another. */
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
       on conflict (command_id) do update set created_at = now(), until = excluded.until
       where a.state = 'pending' and a.body_hash is not distinct from excluded.body_hash
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

  async conclude(tx: Tx, commandId: string, answer: string, keptDays: number): Promise<void> {
    await tx.execute(
      `insert into answers as a (command_id, state, answer, until)
        values ($1, 'done', $2, now() + interval '${keptDays} days')
       on conflict (command_id) do update set state = 'done', answer = excluded.answer, until = excluded.until
       where a.state <> 'done'`,
      [commandId, answer],
    );
  }

  async drop(commandId: string): Promise<void> {
    await this.database.execute(`delete from answers where command_id = $1 and state = 'pending'`, [commandId]);
  }

  async record(where: Where, commandId: string, answer: string, keptDays: number): Promise<void> {
    await where.execute(
      `insert into answers (command_id, state, answer, until)
        values ($1, 'done', $2, now() + interval '${keptDays} days')
       on conflict (command_id) do update set state = 'done', answer = excluded.answer, until = excluded.until
       where answers.state = 'pending'`,
      [commandId, answer],
    );
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
         where answers.state = 'pending')
       select a.command_id, a.answer from answers a join given using (command_id) where a.state = 'done'`,
      [
        nameColumn(rows.map((row) => row.commandId)),
        nameColumn(rows.map((row) => row.bodyHash)),
        jsonValues(rows.map((row) => row.answer)),
      ],
    );
    return new Map(stood.map((row) => [row.command_id, row.answer]));
  }
}

class PostgresTimers extends TimerTable {
  constructor(private readonly database: Database) {
    super();
  }

  async set(tx: Tx, { kind, id, dueAt, payload }: TimerRow): Promise<void> {
    await tx.execute(
      `insert into timer (kind, id, due_at, payload) values ($1, $2, to_timestamp($3::float8 / 1000), $4)
       on conflict (kind, id)
       do update set due_at = excluded.due_at, payload = excluded.payload, tries = 0, not_before = null`,
      [kind, id, dueAt, payload],
    );
  }

  async cancel(tx: Tx, kind: string, id: string): Promise<boolean> {
    return (await tx.execute('delete from timer where kind = $1 and id = $2', [kind, id])) === 1;
  }

  async takeDue(tx: Tx, kinds: readonly string[], now: number, limit: number): Promise<readonly TimerRow[]> {
    const rows = await tx.query<{ kind: string; id: string; due: string; payload: string }>(
      `with due as (
         select kind, id from timer
         where kind = any($1) and due_at <= to_timestamp($2::float8 / 1000)
           and (not_before is null or not_before <= now())
         order by due_at, kind, id limit $3 for update skip locked),
       taken as (delete from timer t using due
         where t.kind = due.kind and t.id = due.id
         returning t.kind, t.id, t.due_at, t.payload)
       select kind, id, round(extract(epoch from due_at) * 1000)::bigint as due, payload
       from taken
       order by due_at, kind, id`,
      [[...kinds], now, limit],
    );
    return rows.map((row) => ({ kind: row.kind, id: row.id, dueAt: Number(row.due), payload: row.payload }));
  }

  async next(kinds: readonly string[]): Promise<{ dueAt: number | null; retryInMs: number | null }> {
    const [row] = await this.database.query<{ due: string | null; retry: string | null }>(
      `select
         (select round(extract(epoch from due_at) * 1000)::bigint from timer
          where kind = any($1) and (not_before is null or not_before <= now()) order by due_at limit 1) as due,
         (select ceil(extract(epoch from min(not_before) - now()) * 1000)::bigint from timer
          where kind = any($1) and not_before > now()) as retry`,
      [[...kinds]],
    );
    return {
      dueAt: row?.due === null || row?.due === undefined ? null : Number(row.due),
      retryInMs: row?.retry === null || row?.retry === undefined ? null : Number(row.retry),
    };
  }

  async postpone(kind: string, id: string, secondsMax: number): Promise<void> {
    await this.database.execute(
      `update timer
        set tries = tries + 1, not_before = now() + least(power(2, tries), ${secondsMax}) * interval '1 second'
        where kind = $1 and id = $2`,
      [kind, id],
    );
  }
}

class PostgresFacts extends FactTable {
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
