import pg from 'pg';
import { PAGE_COSTS } from '@bourse/persistence';

/**
 * The allowed growth of the pages that a statement reads, compared with few rows: indexes get a level or two deeper.
 */
const MORE = { times: 3, pages: 40 };

type Row = Record<string, unknown>;

/**
 * Replaces a service's database and counts the pages that each statement reads, as it is planned for any parameters: so
 * are statements that have run a few times. Its writes are rolled back.
 */
export class PageCount {
  private readonly pages = new Map<string, number>();
  private serial = 0;

  private constructor(private readonly client: pg.Client) {}

  /** Connects, and turns off automatic statistics for the tables of the schema. */
  static async open(url: string, schema: string): Promise<PageCount> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`set search_path = ${schema}, public`);
    await client.query(`set ${PAGE_COSTS}`);
    await client.query('set plan_cache_mode = force_generic_plan');
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname = $1`,
      [schema],
    );
    for (const { name } of rows) await client.query(`alter table ${name} set (autovacuum_enabled = off)`);
    return new PageCount(client);
  }

  async query(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    return (await this.run(sql, params)).rows;
  }
  queryByKey = (sql: string, params: readonly unknown[] = []): Promise<Row[]> => this.query(sql, params);
  async execute(sql: string, params: readonly unknown[] = []): Promise<number> {
    return (await this.run(sql, params)).rowCount ?? 0;
  }
  transaction<T>(work: (tx: this) => Promise<T>): Promise<T> {
    return work(this);
  }

  /** Returns the pages of each statement since the last call, each at its highest. */
  taken(): ReadonlyMap<string, number> {
    const taken = new Map(this.pages);
    this.pages.clear();
    return taken;
  }

  end(): Promise<void> {
    return this.client.end();
  }

  private async run(sql: string, params: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    const name = `counted_${++this.serial}`;
    const given = params.length === 0 ? '' : `(${params.map(literal).join(', ')})`;
    await this.client.query('begin');
    try {
      await this.client.query(`prepare ${name} as ${sql}`);
      await this.client.query('savepoint before');
      const { rows } = await this.client.query<{ 'QUERY PLAN': readonly { Plan: Record<string, number> }[] }>(
        `explain (analyze, buffers, timing off, format json) execute ${name}${given}`,
      );
      await this.client.query('rollback to before');
      const plan = rows[0]!['QUERY PLAN'][0]!.Plan;
      const pages = plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
      const text = sql.replace(/\s+/g, ' ').trim();
      this.pages.set(text, Math.max(pages, this.pages.get(text) ?? 0));
      return await this.client.query<Row>(`execute ${name}${given}`);
    } finally {
      await this.client.query('rollback');
      await this.client.query(`deallocate ${name}`);
    }
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : JSON.stringify(value);
const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(textOf(one))).join(',')}}`);
  return pg.escapeLiteral(textOf(value));
};

/** Statements that read far more pages than they did among few rows, as sentences. */
export function outgrown(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string[] {
  return [...after].flatMap(([sql, pages]) => {
    const was = before.get(sql);
    if (was === undefined) return [`was not measured among few: ${sql}`];
    // Each returned or counted row can be on a page of its own.
    const rows = Number(/\blimit (\d+)(?!.*\blimit \d)/.exec(sql)?.[1] ?? 0);
    return pages > was * MORE.times + MORE.pages + rows ? [`${was} → ${pages} pages: ${sql}`] : [];
  });
}
