import { MissingRight } from '../migrations/roles.js';
import { LEASE_MS } from '../ports.js';
import type { RememberedHeads } from './witness.js';

/** A connection that reads all schemas of the install, as the login that owns the database does. */
export interface SqlReader {
  query<R>(sql: string, params?: readonly unknown[]): Promise<R[]>;
}

/** Rows that were acknowledged and are not in the database any more. `from` is the first of them. */
export interface LostRows {
  readonly stream: string;
  readonly from: number;
  readonly to: number;
}
/**
 * A reader that cannot continue by itself: it is ahead of its sender, read another history, or the next row is lost.
 */
export interface StreamFault {
  readonly stream: string;
  readonly consumer: string;
  readonly reason: string;
}
export interface Comparison {
  readonly schemas: readonly string[];
  readonly streams: number;
  readonly readers: number;
  /** Rows that readers will still get. */
  readonly unread: number;
  readonly lost: readonly LostRows[];
  readonly faults: readonly StreamFault[];
  /**
   * Whether readers have noted where they are in Kafka: then its topics must be emptied, for they hold rows that the
   * senders have lost.
   */
  readonly overKafka: boolean;
}

interface Head {
  readonly number: number;
  readonly hash: string;
}
interface Reader {
  readonly schema: string;
  readonly consumer: string;
  readonly stream: string;
  readonly number: number;
  readonly hash: string;
}

/** Key of the lock that an embedded exchange holds on its database. */
export const EXCLUSIVE_LOCK = 7_226_114_401;
/**
 * Twice as long as a lease lasts in a database of several processes, so that a step of the clock hides none. A lease
 * with more time left is of an embedded exchange, which holds its lock while it runs. Ms.
 */
export const SHARED_LEASE_MS_MAX = 2 * LEASE_MS;
/** Name in `meta` of the heads that an acceptance keeps until it commits. */
const KEPT_HEADS = 'lost heads';
/** The tables that are read here; every schema of an install has them. */
const TABLES = ['stream', 'outbox', 'relay', 'owner', 'position', 'meta'];
/**
 * Catalogs are open to every login, whereas `to_regclass` fails for each schema that the login may not use: for all
 * but a superuser that is at least `pg_toast`.
 */
const SCHEMAS = `select quote_ident(n.nspname) as name,
    has_schema_privilege(n.oid, 'usage') and bool_and(has_table_privilege(c.oid, 'select')) as readable
  from pg_namespace n join pg_class c on c.relnamespace = n.oid
  where c.relname = any($1::text[]) and c.relkind in ('r', 'p')
  group by n.oid, n.nspname
  having count(*) = cardinality($1::text[])
  order by 1`;

/** Returns what shows that an exchange uses this database now, its lock or a valid lease; null without one. */
export async function signOfUse(sql: SqlReader): Promise<string | null> {
  const [lock] = await sql.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [EXCLUSIVE_LOCK]);
  if (!lock?.free) return 'the lock of an embedded exchange';
  await sql.query('select pg_advisory_unlock($1)', [EXCLUSIVE_LOCK]);
  for (const schema of await schemasOf(sql)) {
    const [lease] = await sql.query<{ consumer: string; owner: string }>(
      `select consumer, owner from ${schema}.owner
       where lease_until > clock_timestamp() and lease_until <= clock_timestamp() + $1::int * interval '1 ms'
       order by 1 limit 1`,
      [SHARED_LEASE_MS_MAX],
    );
    if (lease) return `the lease ${lease.consumer} of ${lease.owner}`;
  }
  return null;
}

/**
 * Compares every stream of the database with all its readers, and with the heads remembered from before the database
 * was set back (invariants §2.4) [LOG-044]. Run it in one snapshot; it changes nothing.
 */
export async function compareStreams(sql: SqlReader, remembered: readonly RememberedHeads[]): Promise<Comparison> {
  const schemas = await schemasOf(sql);
  const heads = new Map<string, Head & { readonly schema: string }>();
  const readers: Reader[] = [];
  let overKafka = false;
  for (const schema of schemas) {
    for (const row of await sql.query<{ name: string; number: string; hash: string }>(
      `select name, next - 1 as number, hash from ${schema}.stream`,
    ))
      heads.set(row.name, { schema, number: Number(row.number), hash: row.hash });
    for (const row of await sql.query<Omit<Reader, 'schema' | 'number'> & { number: string }>(
      `select consumer, stream, number, hash from ${schema}.position`,
    ))
      readers.push({ ...row, schema, number: Number(row.number) });
    overKafka ||= (await sql.query(`select 1 from ${schema}.owner where kafka_offset is not null limit 1`)).length > 0;
  }
  let unread = 0;
  const faults: StreamFault[] = [];
  for (const reader of readers) {
    const { stream, consumer } = reader;
    const found = await compareReader(sql, reader, heads.get(stream));
    if (typeof found === 'string') faults.push({ stream, consumer: `${reader.schema}.${consumer}`, reason: found });
    else unread += found;
  }
  return {
    schemas,
    streams: heads.size,
    readers: readers.length,
    unread,
    lost: await lostRows(sql, schemas, remembered, heads),
    faults,
    overKafka,
  };
}

/** The database's time of the newest row that any stream has, ms; null when none is kept. */
export async function newestRow(sql: SqlReader): Promise<number | null> {
  const times = (await schemasOf(sql))
    .map((schema) => `select max(created_at) as at from ${schema}.outbox`)
    .join(' union all ');
  if (times === '') return null;
  const [row] = await sql.query<{ at: string | null }>(
    `select floor(extract(epoch from max(at)) * 1000)::bigint as at from (${times}) t`,
  );
  return row === undefined || row.at === null ? null : Number(row.at);
}

/** How many rows the reader will still get, or why it cannot continue. */
async function compareReader(
  sql: SqlReader,
  { stream, number, hash }: Reader,
  head: (Head & { readonly schema: string }) | undefined,
): Promise<number | string> {
  if (!head || head.number < number)
    return (
      `it has read #${number}, and its sender has come to ` +
      `${head ? `#${head.number}` : 'nothing'}: their schemas were set back to different ` +
      'moments'
    );
  if (head.number === number) return head.hash === hash ? 0 : `#${number} is not the row it has read`;
  const rows = await sql.query<{ number: string; previous_hash: string; hash: string; sound: boolean }>(
    `select number, previous_hash, hash,
        left(encode(sha256(convert_to(previous_hash || payload, 'UTF8')), 'hex'), 32) = hash as sound
      from ${head.schema}.outbox
      where stream = $1 and number > $2
      order by number`,
    [stream, number],
  );
  let at: Head = { number, hash };
  for (const row of rows) {
    if (Number(row.number) !== at.number + 1) return `#${at.number + 1} is gone from its sender's outbox`;
    if (row.previous_hash !== at.hash) return `#${row.number} follows another row than the #${at.number} it has read`;
    if (!row.sound) return `#${row.number} does not have its hash`;
    at = { number: Number(row.number), hash: row.hash };
  }
  return at.number === head.number && at.hash === head.hash
    ? rows.length
    : `its rows end with #${at.number}, and its sender has come to #${head.number}`;
}

async function lostRows(
  sql: SqlReader,
  schemas: readonly string[],
  remembered: readonly RememberedHeads[],
  heads: ReadonlyMap<string, Head & { readonly schema: string }>,
): Promise<LostRows[]> {
  const lost: LostRows[] = [];
  for (const { schema, install, heads: known } of remembered) {
    const [meta] = schemas.includes(schema)
      ? await sql.query<{ value: string }>(`select value from ${schema}.meta where name = 'install'`)
      : [];
    if (install !== '' && meta?.value !== install) continue; // another install is another database
    for (const [stream, { number, hash }] of known) {
      const head = heads.get(stream);
      if (head && head.number >= number) {
        const there =
          head.number === number
            ? head.hash
            : (
                await sql.query<{ hash: string }>(
                  `select hash from ${head.schema}.outbox where stream = $1 and number = $2`,
                  [stream, number],
                )
              )[0]?.hash;
        // A row that was dropped since cannot be compared.
        if (there === undefined || there === hash) continue;
      }
      lost.push({ stream, from: Math.min(head?.number ?? 0, number - 1) + 1, to: number });
    }
  }
  return withoutOverlap(lost);
}

/** Merges overlapping ranges: several files, and Kafka, may remember the same rows. */
function withoutOverlap(lost: readonly LostRows[]): LostRows[] {
  const ranges: LostRows[] = [];
  for (const one of lost.toSorted((a, b) => (a.stream === b.stream ? a.from - b.from : a.stream < b.stream ? -1 : 1))) {
    const last = ranges.at(-1);
    if (last?.stream === one.stream && one.from <= last.to + 1)
      ranges[ranges.length - 1] = { ...last, to: Math.max(last.to, one.to) };
    else ranges.push(one);
  }
  return ranges;
}

/**
 * In a transaction, for the distributed run: readers read Kafka from its beginning, and relays send again the rows that
 * any reader lacks. The topics must be empty by then: their records may be of the lost time [LOG-045].
 */
export async function sendAgain(sql: SqlReader): Promise<void> {
  const schemas = await schemasOf(sql);
  const least = schemas.map((schema) => `select stream, number from ${schema}.position`).join(' union all ');
  for (const schema of schemas) {
    await sql.query(`update ${schema}.owner set kafka_offset = null, held_offset = null, lease_until = '-infinity'`);
    await sql.query(
      `insert into ${schema}.relay (stream, sent)
       select s.name,
         coalesce((select min(p.number) from (${least}) p where p.stream = s.name),
           (select min(o.number) - 1 from ${schema}.outbox o where o.stream = s.name), s.next - 1)
       from ${schema}.stream s
       on conflict (stream) do update set sent = excluded.sent, kafka_end = null, sent_at = null`,
    );
  }
}

/**
 * Stores heads in the database itself, because the acceptance of a loss deletes the records that remember them before
 * it commits [LOG-069].
 */
export async function keepHeads(sql: SqlReader, remembered: readonly RememberedHeads[]): Promise<void> {
  const [schema] = await schemasOf(sql);
  await sql.query(
    `insert into ${schema}.meta (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
    [KEPT_HEADS, JSON.stringify(remembered.map(({ heads, ...of }) => ({ ...of, heads: [...heads] })))],
  );
}

/** Returns the heads of an acceptance that did not commit. */
export async function keptHeads(sql: SqlReader): Promise<RememberedHeads[]> {
  type Kept = Omit<RememberedHeads, 'heads'> & { readonly heads: readonly [string, Head][] };
  const kept: RememberedHeads[] = [];
  for (const schema of await schemasOf(sql))
    for (const { value } of await sql.query<{ value: string }>(`select value from ${schema}.meta where name = $1`, [
      KEPT_HEADS,
    ]))
      kept.push(...(JSON.parse(value) as Kept[]).map(({ heads, ...of }) => ({ ...of, heads: new Map(heads) })));
  return kept;
}

/**
 * In a transaction: the restored database becomes another install than the lost one. Heads that processes remember of
 * the lost one, in memory, in a file anywhere or in the database, are void from here on [LOG-044].
 */
export async function becomeAnotherInstall(sql: SqlReader): Promise<void> {
  for (const schema of await schemasOf(sql)) {
    await sql.query(`update ${schema}.meta set value = gen_random_uuid()::text where name = 'install'`);
    await sql.query(`delete from ${schema}.meta where name = $1`, [KEPT_HEADS]);
  }
}

/** @throws MissingRight for a schema that this login may not read: its losses would go unnoticed. */
async function schemasOf(sql: SqlReader): Promise<string[]> {
  const found = await sql.query<{ name: string; readable: boolean }>(SCHEMAS, [TABLES]);
  const closed = found.filter(({ readable }) => !readable).map(({ name }) => name);
  if (closed.length > 0)
    throw new MissingRight(
      `The login of the database may not read ${closed.join(', ')}: use the login that owns the database, which is ` +
        'a member of the role of each service (deploy/README.md).',
    );
  return found.map(({ name }) => name);
}
