import {
  jsonColumn,
  jsonValues,
  nameColumn,
  numberColumn,
  REFUSALS,
  REFUSED_ANSWER_DAYS,
  refusalOf,
  type Database,
  type Tx,
} from '@bourse/persistence';
import { formatUnits, toUnits } from '@bourse/money';
import type { StoredAnswer } from '@bourse/events';
import {
  BatchTooOld,
  WriterStore,
  type AccountRef,
  type ChainHead,
  type Changes,
  type CommandRow,
  type Found,
  type HoldRef,
} from '../../application/ports.js';

/** A batch must commit this soon after it was read; otherwise its expiry checks are void (invariants §2.1). */
const BATCH_AGE_SECONDS_MAX = 5;
/** The database's time is read at least this often. */
const TIME_KNOWN_MS = 5_000;
/**
 * The condition on a stored answer that is repeated still: for seven days, a refusal for an hour. The row of an older
 * one may not be deleted yet, while its key is free for another call [LEDGER-058].
 */
export const REPEATED = `created_at > now() - interval '7 days'
  and (ok or created_at > now() - interval '${REFUSED_ANSWER_DAYS} days')`;

const COMMAND_JSON =
  `json_build_object('id', id, 'second_key', second_key, 'body_hash', ` + `body_hash, 'answer', answer, 'held', held)`;

/**
 * Everything that a batch writes into the ledger's own tables, in one round trip: the parts touch different rows. $1
 * partition, $2 time, then column arrays.
 */
const SAVE_SQL = `
  with journals as (
    insert into journal (partition, number, part, owner, id, cause_type, cause_id, entries, previous_hash, hash,
      created_at)
    select $1::int, j.*, $2::timestamptz
    from unnest($3::bigint[], $4::smallint[], $5::bigint[], $6::text[], $7::text[], $8::text[],
      ${jsonColumn('$9')}::json[], $10::text[], $11::text[]) as j),
  balances as (
    insert into balance (owner, product, currency, available, held, available_sequence, held_sequence, partition)
    select b.*, $1::int
    from unnest($12::bigint[], $13::text[], $14::int[], $15::numeric[], $16::numeric[], $17::bigint[],
      $18::bigint[]) as b
    on conflict (owner, product, currency)
    do update set available = excluded.available, held = excluded.held,
      available_sequence = excluded.available_sequence, held_sequence = excluded.held_sequence),
  kept as (
    insert into hold (owner, product, currency, name, remaining, cause_type, cause_id, partition)
    select h.*, $1::int
    from unnest($19::bigint[], $20::text[], $21::int[], $22::text[], $23::numeric[], $24::text[], $25::text[]) as h
    on conflict (owner, product, currency, name)
    do update set remaining = excluded.remaining, cause_type = excluded.cause_type, cause_id = excluded.cause_id),
  spent as (
    delete from hold h using unnest($26::bigint[], $27::text[], $28::int[], $29::text[]) as n(owner, product, currency,
      name)
    where h.owner = n.owner and h.product = n.product and h.currency = n.currency and h.name = n.name)
  insert into command (id, second_key, body_hash, ok, answer, held, created_at)
  select c.*, $2::timestamptz
  from unnest($30::text[], $31::text[], $32::text[], $33::bool[], ${jsonColumn('$34')}::json[], $35::text[]) as c`;

/**
 * Everything that a batch must know before it is applied, in one round trip, with the database's time. Amounts are
 * text: JSON numbers would lose digits.
 */
const FIND_SQL = `
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as at,
    (select json_agg(json_build_object('owner', b.owner, 'product', b.product, 'currency', b.currency, 'available',
      b.available::text, 'held', b.held::text, 'available_sequence', b.available_sequence, 'held_sequence',
      b.held_sequence))
      from unnest($1::bigint[], $2::text[], $3::int[]) as n(owner, product, currency)
      join balance b using (owner, product, currency)) as accounts,
    (select json_agg(json_build_object('owner', h.owner, 'product', h.product, 'currency', h.currency, 'name', h.name,
      'remaining', h.remaining::text, 'cause_type', h.cause_type, 'cause_id', h.cause_id))
      from unnest($4::bigint[], $5::text[], $6::int[], $7::text[]) as n(owner, product, currency, name)
      join hold h using (owner, product, currency, name)) as holds,
    (select json_agg(${COMMAND_JSON} order by created_at)
      from command
      where id = any($8::text[]) and ${REPEATED}) as commands,
    (select json_agg(${COMMAND_JSON} order by created_at)
      from command
      where ok and second_key = any($9::text[]) and ${REPEATED}) as second_keys`;

interface StoredFound {
  at: string;
  accounts:
    | {
        owner: number;
        product: string;
        currency: number;
        available: string;
        held: string;
        available_sequence: number;
        held_sequence: number;
      }[]
    | null;
  holds:
    | {
        owner: number;
        product: string;
        currency: number;
        name: string;
        remaining: string;
        cause_type: string;
        cause_id: string;
      }[]
    | null;
  commands: StoredCommand[] | null;
  second_keys: StoredCommand[] | null;
}
export interface StoredCommand {
  id: string;
  second_key: string | null;
  body_hash: string | null;
  answer: StoredAnswer;
  held: string | null;
}
const commandOf = (row: StoredCommand): CommandRow => ({
  id: row.id,
  secondKey: row.second_key,
  bodyHash: row.body_hash,
  answer: row.answer,
  held: row.held,
});

/** The writer's tables in PostgreSQL: many rows per statement, few statements per batch. */
export class PostgresWriterStore extends WriterStore {
  private lastTime: { readonly at: number; readonly asked: number } | undefined;

  constructor(
    private readonly database: Database,
    private readonly scaleOf: (currency: number) => number,
  ) {
    super();
  }

  async chainHead(partition: number): Promise<ChainHead> {
    const [row] = await this.database.query<{ number: string; hash: string }>(
      'select number, hash from journal where partition = $1 order by number desc, part desc limit 1',
      [partition],
    );
    return row ? { number: Number(row.number), hash: row.hash } : { number: 0, hash: '' };
  }

  async find({
    accounts,
    holds,
    commandIds,
    secondKeys,
  }: {
    readonly accounts: readonly AccountRef[];
    readonly holds: readonly HoldRef[];
    readonly commandIds: readonly string[];
    readonly secondKeys: readonly string[];
  }): Promise<Found> {
    const known = this.timeWithoutAsking();
    if (known !== null && accounts.length + holds.length + commandIds.length + secondKeys.length === 0)
      return { at: known, accounts: [], holds: [], commands: [], secondKeys: [] };
    const [row] = await this.database.queryByKey<StoredFound>(FIND_SQL, [
      numberColumn(accounts.map((name) => name.owner)),
      nameColumn(accounts.map((name) => name.account)),
      numberColumn(accounts.map((name) => name.currency)),
      numberColumn(holds.map((name) => name.owner)),
      nameColumn(holds.map((name) => name.account)),
      numberColumn(holds.map((name) => name.currency)),
      nameColumn(holds.map((name) => name.hold)),
      nameColumn(commandIds),
      nameColumn(secondKeys),
    ]);
    if (!row) throw new Error('invariant: a statement without a row');
    this.lastTime = { at: Number(row.at), asked: performance.now() };
    return {
      at: Number(row.at),
      accounts: (row.accounts ?? []).map((stored) => ({
        owner: stored.owner,
        account: stored.product,
        currency: stored.currency,
        available: this.units(stored.available, stored.currency),
        held: this.units(stored.held, stored.currency),
        availableSequence: stored.available_sequence,
        heldSequence: stored.held_sequence,
      })),
      holds: (row.holds ?? []).map((stored) => ({
        owner: stored.owner,
        account: stored.product,
        currency: stored.currency,
        hold: stored.name,
        remaining: this.units(stored.remaining, stored.currency),
        causeType: stored.cause_type,
        causeId: stored.cause_id,
      })),
      commands: (row.commands ?? []).map(commandOf),
      secondKeys: (row.second_keys ?? []).map(commandOf),
    };
  }

  /**
   * The database's time, extrapolated from its last reading; `checkAge` detects a pause of this process. Null: the last
   * reading is too old.
   */
  private timeWithoutAsking(): number | null {
    if (!this.lastTime) return null;
    const since = performance.now() - this.lastTime.asked;
    return since < TIME_KNOWN_MS ? Math.floor(this.lastTime.at + since) : null;
  }

  async save(tx: Tx, { partition, at, accounts, holds, journals, commands }: Changes): Promise<void> {
    const kept = holds.filter((hold) => hold.remaining > 0n);
    const spent = holds.filter((hold) => hold.remaining === 0n);
    const numbers = <T>(rows: readonly T[], of: (row: T) => number | string): string => numberColumn(rows.map(of));
    const names = <T>(rows: readonly T[], of: (row: T) => string | null): string => nameColumn(rows.map(of));
    await Promise.all([
      tx.query(`select set_config('bourse.ledger_writer', 'on', true)`),
      tx.query(SAVE_SQL, [
        partition,
        new Date(at).toISOString(),
        numbers(journals, (row) => row.number),
        numbers(journals, (row) => row.part),
        numbers(journals, (row) => row.owner),
        names(journals, (row) => row.id),
        names(journals, (row) => row.causeType),
        names(journals, (row) => row.causeId),
        jsonValues(journals.map((row) => row.entries)),
        names(journals, (row) => row.previousHash),
        names(journals, (row) => row.hash),
        numbers(accounts, (state) => state.owner),
        names(accounts, (state) => state.account),
        numbers(accounts, (state) => state.currency),
        numbers(accounts, (state) => this.text(state.available, state.currency)),
        numbers(accounts, (state) => this.text(state.held, state.currency)),
        numbers(accounts, (state) => state.availableSequence),
        numbers(accounts, (state) => state.heldSequence),
        numbers(kept, (hold) => hold.owner),
        names(kept, (hold) => hold.account),
        numbers(kept, (hold) => hold.currency),
        names(kept, (hold) => hold.hold),
        numbers(kept, (hold) => this.text(hold.remaining, hold.currency)),
        names(kept, (hold) => hold.causeType),
        names(kept, (hold) => hold.causeId),
        numbers(spent, (hold) => hold.owner),
        names(spent, (hold) => hold.account),
        numbers(spent, (hold) => hold.currency),
        names(spent, (hold) => hold.hold),
        names(commands, (row) => row.id),
        names(commands, (row) => row.secondKey),
        names(commands, (row) => row.bodyHash),
        names(commands, (row) => (row.answer.type === 'ok' ? 't' : 'f')),
        jsonValues(commands.map((row) => JSON.stringify(row.answer))),
        names(commands, (row) => row.held),
      ]),
    ]);
  }

  async checkAge(tx: Tx, at: number): Promise<void> {
    const reason = `the batch was read more than ${BATCH_AGE_SECONDS_MAX} s ago`;
    try {
      await tx.query(
        `select case when clock_timestamp() < $1::timestamptz + interval '${BATCH_AGE_SECONDS_MAX} seconds' then 1
          else refuse('${REFUSALS.tooOld}', '${reason}') end`,
        [new Date(at).toISOString()],
      );
    } catch (error) {
      throw refusalOf(error) === REFUSALS.tooOld ? new BatchTooOld(reason) : error;
    }
  }

  private units(text: string, currency: number): bigint {
    return toUnits(text, this.scaleOf(currency));
  }
  private text(units: bigint, currency: number): string {
    return formatUnits(units, this.scaleOf(currency));
  }
}
