import { COUNTED_BEYOND } from '../columns.js';
import type { Database } from '../ports.js';

/**
 * Conditions of a list, with their parameters. Only requested conditions are added: a plan that is kept for all
 * parameters can use an index then.
 */
export class Conditions {
  private readonly texts: string[] = [];

  /** @param params parameters of the statement so far; conditions within another condition share its list */
  constructor(readonly params: unknown[] = []) {}

  /** Adds the condition if the value is given; `?` stands for the value. */
  add(condition: string, value: unknown): this {
    if (value === undefined) return this;
    this.params.push(value);
    this.texts.push(condition.replaceAll('?', `$${this.params.length}`));
    return this;
  }
  /** Adds a condition without a parameter. */
  addText(condition: string): this {
    this.texts.push(condition);
    return this;
  }
  get where(): string {
    return this.texts.length === 0 ? 'true' : this.texts.join(' and ');
  }
}

/** The statement of a list. */
export interface ListQuery {
  readonly columns: string;
  readonly from: string;
  /** Tables of the count, if `from` joins others that neither filter nor multiply rows. */
  readonly countFrom?: string;
  readonly where: string;
  readonly params: readonly unknown[];
  readonly orderBy: string;
}

/**
 * Returns one page of a list and the number of its rows, which are counted up to a limit beyond the page. The count
 * follows the order of the list, so that it stops along its index: otherwise a planner that expects many rows reads the
 * whole table to find a few.
 */
export async function readPage<R>(
  database: Pick<Database, 'query'>,
  { columns, from, countFrom = from, where, params, orderBy }: ListQuery,
  { size, offset }: { readonly size: number; readonly offset: number },
): Promise<{ readonly rows: R[]; readonly total: number }> {
  const [rows, [count]] = await Promise.all([
    database.query<R>(
      `select ${columns} from ${from} where ${where} order by ${orderBy} limit ${size} offset ${offset}`,
      params,
    ),
    database.query<{ total: number }>(
      `select count(*)::int as total
       from (select 1 from ${countFrom} where ${where} order by ${orderBy}
         limit ${offset + size + COUNTED_BEYOND}) counted`,
      params,
    ),
  ]);
  return { rows, total: count?.total ?? 0 };
}
