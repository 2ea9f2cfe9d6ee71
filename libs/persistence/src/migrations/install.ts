import pg from 'pg';
import type { Database } from '../ports.js';
import { requireServer } from './server-version.js';

/**
 * The facts of this process that are compared with the install behind the database, before anything is read or served.
 */
export interface InstallFacts {
  /** A demo install: people and operators with public passwords. */
  readonly demo: boolean;
  /** Its location as part of a message: `the data folder /srv/bourse`. */
  readonly place: string;
  /** Rows of `meta` that only a demo install has: they identify installs older than the mark of their kind. */
  readonly seedMarks: readonly string[];
  /** By topic: the number of partitions and its setting. Fixed at install. */
  readonly partitions?: Readonly<Record<string, { readonly setting: string; readonly count: number }>>;
  /** The mark of each secret of the process, the marks it may replace, and how an operator replaces it. */
  readonly secrets: Readonly<
    Record<string, { readonly value: string; readonly old: readonly string[]; readonly rotation: string }>
  >;
}

/** The database belongs to another kind of install or was made with other secrets. The message is for an operator. */
export class InstallRefused extends Error {
  /** For programs that cannot compare classes. */
  readonly forPeople = true;
}

const KIND = 'kind';
const SECRET = 'secret:';
const PARTITIONS = 'partitions:';
/** Condition for the rows of `meta` that are marks. `$1`: the marks of the seeds. */
const MARKS = `name = '${KIND}' or name like '${SECRET}%' or name like '${PARTITIONS}%' or name = any($1::text[])`;

/** Rows of `meta` by name. */
type Marks = ReadonlyMap<string, string>;

/** The reason why a process with these facts may not use a schema with these marks; null: it may. */
export function refusalFor(marks: Marks, facts: InstallFacts): string | null {
  return kindRefusal(marks, facts) ?? secretRefusal(marks, facts) ?? partitionRefusal(marks, facts);
}

function kindRefusal(marks: Marks, facts: InstallFacts): string | null {
  const kind = marks.get(KIND) ?? (facts.seedMarks.some((name) => marks.has(name)) ? 'demo' : null);
  if (kind === 'demo' && !facts.demo)
    return (
      `A demo install lies in ${facts.place}: its people and operators have public passwords, and it starts with ` +
      'BOURSE_DEV=1 only. Give a real exchange another data folder (DATA_DIR) or an empty database (DATABASE_URL).'
    );
  if (kind === 'real' && facts.demo)
    return (
      `A real exchange lies in ${facts.place}: BOURSE_DEV=1 would give it people and operators with public ` +
      'passwords. Give a demo another data folder (DATA_DIR) or an empty database (DATABASE_URL).'
    );
  return null;
}

function secretRefusal(marks: Marks, facts: InstallFacts): string | null {
  for (const [name, { value, old, rotation }] of Object.entries(facts.secrets)) {
    const known = marks.get(`${SECRET}${name}`);
    if (known !== undefined && known !== value && !old.includes(known))
      return `${name} is not the one this install was made with (${facts.place}). Give that one again; ${rotation}`;
  }
  return null;
}

function partitionRefusal(marks: Marks, { partitions = {}, place }: InstallFacts): string | null {
  for (const [topic, { setting, count }] of Object.entries(partitions)) {
    const known = marks.get(`${PARTITIONS}${topic}`);
    if (known !== undefined && known !== String(count))
      return (
        `${setting} is ${count}, and this install was made with ${known} (${place}). The number is fixed at install, ` +
        `because it decides which writer has whose money: set ${setting}=${known}.`
      );
  }
  return null;
}

/**
 * Checks every schema that this login may read before any service starts. Uses its own connection and writes
 * nothing. An empty database passes. Throws `InstallRefused` [HARD-102].
 */
export async function checkInstall(url: string, facts: InstallFacts): Promise<void> {
  await withMarks(url, facts.seedMarks, (_client, schemas) => {
    // The kind of install is checked first, over all schemas: only some are seeded, and a demo has other secrets.
    for (const check of [kindRefusal, secretRefusal, partitionRefusal]) {
      for (const { marks } of schemas) {
        const refusal = check(marks, facts);
        if (refusal !== null) throw new InstallRefused(refusal);
      }
    }
    return Promise.resolve();
  });
}

async function withMarks<T>(
  url: string,
  seedMarks: readonly string[],
  work: (client: pg.Client, schemas: readonly { readonly schema: string; readonly marks: Marks }[]) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'bourse start',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined); // its query fails too
  await client.connect();
  try {
    await requireServer(client);
    // A schema of ours has these tables of the library; another one of the database may have one of the names.
    const { rows } = await client.query<{ schema: string }>(`
      select quote_ident(n.nspname) as schema from pg_namespace n
      where has_schema_privilege(n.oid, 'usage')
        and (select count(*) from pg_class c
          where c.relnamespace = n.oid and c.relname in ('meta', 'dead_letter', 'outbox', 'answers')) = 4
        and (select bool_and(has_table_privilege(c.oid, 'select')) from pg_class c
          where c.relnamespace = n.oid and c.relname = 'meta')`);
    const schemas: { schema: string; marks: Marks }[] = [];
    for (const { schema } of rows) {
      const found = await client.query<{ name: string; value: string }>(
        `select name, value from ${schema}.meta where ${MARKS}`,
        [seedMarks],
      );
      schemas.push({ schema, marks: new Map(found.rows.map(({ name, value }) => [name, value])) });
    }
    return await work(client, schemas);
  } finally {
    await client.end();
  }
}

/** Checks one schema by the connection of its service, then stores the marks for the checks of later starts. */
export async function markInstall(database: Database, facts: InstallFacts): Promise<void> {
  const rows = await database.query<{ name: string; value: string }>(`select name, value from meta where ${MARKS}`, [
    facts.seedMarks,
  ]);
  const marks = new Map(rows.map(({ name, value }) => [name, value]));
  const refusal = refusalFor(marks, facts);
  if (refusal !== null) throw new InstallRefused(refusal);
  const wanted = [
    [KIND, facts.demo ? 'demo' : 'real'],
    ...Object.entries(facts.secrets).map(([name, { value }]) => [`${SECRET}${name}`, value]),
  ].filter(([name = '', value]) => marks.get(name) !== value);
  if (wanted.length > 0)
    await database.execute(
      `insert into meta (name, value)
        select * from unnest($1::text[], $2::text[])
        on conflict (name) do update set value = excluded.value`,
      [wanted.map(([name]) => name), wanted.map(([, value]) => value)],
    );
}

/**
 * Deletes the marks of these secrets, so that the next start accepts new ones: for secrets that protect no stored data.
 * Returns the number of schemas that had them.
 */
export async function forgetSecrets(url: string, names: readonly string[]): Promise<number> {
  return withMarks(url, [], async (client, schemas) => {
    let changed = 0;
    for (const { schema } of schemas) {
      const { rowCount } = await client.query(`delete from ${schema}.meta where name = any($1::text[])`, [
        names.map((name) => `${SECRET}${name}`),
      ]);
      if ((rowCount ?? 0) > 0) changed += 1;
    }
    return changed;
  });
}
