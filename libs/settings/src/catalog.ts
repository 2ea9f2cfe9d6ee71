import type { CatalogRow } from '@bourse/events';
import type { Database, Tx } from '@bourse/persistence';
import { Refused, type Clock, type FieldRecord } from '@bourse/platform';
import { recordChange, type ChangedBy } from './operator-trail.js';
import { WrongValue, type ValueType } from './value-types.js';

/** A row as it stood and as it stands, in the words of the contract. */
export interface SavedRow {
  readonly id: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/**
 * One list of the catalog (api §2.12), provided by the service whose schema holds it: currencies, pairs, networks,
 * countries, and what later products add.
 */
export abstract class CatalogList {
  /** Its name in the address of the calls: `currencies`. */
  abstract readonly name: string;
  /** All rows, those that are switched off included, in the words of the contract. */
  abstract rows(): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * Writes one row in the transaction of its line in the audit log, and publishes what other services copy. Reads the
   * fields with `readColumns`. Throws `common.notFound` without such a row.
   */
  abstract save(tx: Tx, fields: FieldRecord): Promise<SavedRow>;
  /** Runs after the commit, before the call is answered. */
  saved(): Promise<void> | void {
    /* most lists are read from their table each time */
  }
}

/**
 * Reads the columns that a call names; the others stay as they are. An empty text empties what may be empty. Throws
 * `common.fieldInvalid` with the type and bounds of the column [SETTING-010].
 */
export function readColumns<C extends Readonly<Record<string, ValueType<unknown>>>>(
  columns: C,
  fields: FieldRecord,
): { readonly [K in keyof C]?: ReturnType<C[K]['read']> } {
  const values: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(columns)) {
    const given = fields[name];
    if (given === undefined) continue;
    try {
      values[name] = type.read(given);
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      throw new Refused(
        'common.fieldInvalid',
        { field: name },
        {
          field: name,
          extra: { value_type: type.name, bounds: type.bounds, why: error.message },
        },
      );
    }
  }
  return values as { readonly [K in keyof C]?: ReturnType<C[K]['read']> };
}

/** The lists that one service owns. */
export class Catalogs {
  private readonly lists: ReadonlyMap<string, CatalogList>;
  constructor(
    private readonly database: Database,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly service: string,
    lists: readonly CatalogList[],
  ) {
    this.lists = new Map(lists.map((list) => [list.name, list]));
  }

  /** Which lists there are here, for whoever must find their owner. */
  get names(): readonly CatalogRow[] {
    return [...this.lists.keys()].map((name) => ({ name, owner: this.service }));
  }

  /** Throws `common.notFound` for a list that is not kept here. */
  rows(name: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.find(name).rows();
  }

  /** Changes one row of a list, with its line in the audit log: only what has changed is told there. */
  async save(name: string, fields: FieldRecord, by: ChangedBy): Promise<void> {
    const list = this.find(name);
    await this.database.transaction(async (tx) => {
      const { id, before, after } = await list.save(tx, fields);
      const changed = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
      const of = (row: SavedRow['after']): object => Object.fromEntries(changed.map((key) => [key, row[key]]));
      recordChange(tx, {
        service: this.service,
        action: `catalog.${name}.save`,
        target: `${name} ${id}`,
        before: of(before),
        after: of(after),
        by,
        at: this.clock.now(),
      });
    });
    await list.saved();
  }

  private find(name: string): CatalogList {
    const list = this.lists.get(name);
    if (!list) throw new Refused('common.notFound', {}, { field: 'name' });
    return list;
  }
}
