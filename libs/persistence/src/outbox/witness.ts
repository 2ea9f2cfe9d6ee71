import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { OutboxRow } from '../ports.js';

/** How far a stream had come by a commit that was answered. */
interface Head {
  readonly number: number;
  readonly hash: string;
}
/** The remembered state of one schema: its install and the heads of its streams. */
interface Remembered {
  install: string;
  readonly heads: Map<string, Head>;
}
export interface RememberedHeads {
  readonly schema: string;
  readonly install: string;
  readonly heads: ReadonlyMap<string, Head>;
}
/** A connection that the database has just given. */
export interface Asking {
  query(sql: string, params: unknown[]): Promise<{ rows: Record<string, string | null>[] }>;
}

const SAVE_MS = 500;
const HEADS = `
  select w.stream, s.next - 1 as number, (select value from meta where name = 'install') as install,
    case when s.next - 1 = w.number then s.hash
      else (select o.hash from outbox o where o.stream = w.stream and o.number = w.number limit 1) end as hash
  from unnest($1::text[], $2::bigint[]) as w(stream, number) left join stream s on s.name = w.stream`;

/**
 * The database lacks what it had acknowledged. Treated like a database that is starting: retried, with "not available"
 * as the answer meanwhile.
 */
export class DatabaseSetBack extends Error {
  readonly code = '57P03';
}

/**
 * Remembers the heads of this process's streams beyond the database that holds them, so that one that was set back in
 * time (a restore, a forked disk) is seen when it is connected to, before anything is read from it or promised on it
 * (invariants §2.4) [LOG-040]. With a file it also remembers over restarts. A database of another install is another
 * database, whatever it holds.
 */
export class Witness {
  private readonly schemas = new Map<string, Remembered>();
  private timer: NodeJS.Timeout | undefined;
  private changed = false;

  constructor(
    private file: string | null,
    private readonly onError: (error: unknown) => void,
  ) {
    if (file === null || !existsSync(file)) return;
    for (const { schema, install, heads } of readWitness(file))
      this.schemas.set(schema, { install, heads: new Map(heads) });
  }

  /** Rows of a commit that was answered. */
  note(schema: string, rows: readonly OutboxRow[]): void {
    const { heads } = this.of(schema);
    for (const { stream, number, hash } of rows)
      if (number > (heads.get(stream)?.number ?? 0)) heads.set(stream, { number, hash });
    this.changed = true;
    if (this.file !== null) this.timer ??= setTimeout(() => this.save(), SAVE_MS).unref();
  }

  /**
   * Throws `DatabaseSetBack` if the heads of the database behind this connection do not continue the remembered ones.
   */
  async check(schema: string, connection: Asking): Promise<void> {
    const remembered = this.of(schema);
    const { heads } = remembered;
    const asked = [...heads];
    if (asked.length === 0) {
      remembered.install =
        (await connection.query(`select value as install from meta where name = $1`, ['install'])).rows[0]?.[
          'install'
        ] ?? '';
      return;
    }
    const { rows } = await connection.query(HEADS, [
      asked.map(([stream]) => stream),
      asked.map(([, { number }]) => number),
    ]);
    const install = rows[0]?.['install'] ?? '';
    if (remembered.install !== '' && install !== remembered.install) {
      heads.clear();
      remembered.install = install;
      return;
    }
    // Compared with the heads of before the query: commits continue meanwhile.
    const expected = new Map(asked);
    for (const { stream, number, hash } of rows) {
      const head = expected.get(stream ?? '');
      if (!head) continue;
      // The row may have been dropped since; then only its number can be compared.
      const wrong =
        number === null || number === undefined || Number(number) < head.number
          ? `it has ${number ?? 'none'} of its rows, and #${head.number} was acknowledged`
          : hash !== null && hash !== head.hash
            ? `its row #${head.number} is not the one that was acknowledged`
            : null;
      if (wrong !== null)
        throw new DatabaseSetBack(
          `the database was set back in time: stream ${stream}: ${wrong}` +
            (this.file === null
              ? ''
              : `. \`npx bourse reconcile\` compares it with ${this.file}, which keeps what was acknowledged`),
        );
    }
  }

  /** Stores what is known; also when the process ends. */
  save(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.file === null || !this.changed) return;
    this.changed = false;
    try {
      const stored = Object.fromEntries(
        [...this.schemas]
          .filter(([, { heads }]) => heads.size > 0)
          .map(([schema, { install, heads }]) => [schema, { install, heads: Object.fromEntries(heads) }]),
      );
      mkdirSync(dirname(this.file), { recursive: true });
      writeFileSync(`${this.file}.new`, JSON.stringify(stored), { mode: 0o600 });
      renameSync(`${this.file}.new`, this.file);
    } catch (error) {
      // An unwritable file is not retried: the check continues with the heads in memory.
      this.file = null;
      this.onError(error);
    }
  }

  private of(schema: string): Remembered {
    let remembered = this.schemas.get(schema);
    if (!remembered) this.schemas.set(schema, (remembered = { install: '', heads: new Map() }));
    return remembered;
  }
}

/** Reads the heads that the file of a witness holds. */
export function readWitness(file: string): RememberedHeads[] {
  const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<
    string,
    { install: string; heads: Record<string, Head> }
  >;
  return Object.entries(stored).map(([schema, { install, heads }]) => ({
    schema,
    install,
    heads: new Map(Object.entries(heads)),
  }));
}
