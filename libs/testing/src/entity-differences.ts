import type { Database } from '@bourse/persistence';

interface Stored {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly generated: boolean;
  /** Place in the primary key; null: not in it. */
  readonly key: number | null;
}
const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
    a.attidentity <> '' as generated,
    array_position(i.indkey::int2[], a.attnum) as key
  from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
  where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped order by a.attnum`;
/** Types whose name in an entity is not the one that PostgreSQL answers. */
const NAMES: Readonly<Record<string, string>> = { timestamptz: 'timestamp with time zone', int: 'integer' };

/**
 * Returns the differences between the entities of a schema and its tables, as the migrations have made them: columns
 * that one of them lacks, types, nullability, generated values, and primary keys. Empty when they agree. One sentence a
 * difference.
 */
export async function entityDifferences(database: Database): Promise<string[]> {
  const differences: string[] = [];
  for (const { tableName, columns } of database.manager.dataSource.entityMetadatas) {
    const stored = new Map((await database.query<Stored>(COLUMNS, [tableName])).map((column) => [column.name, column]));
    for (const column of columns) {
      const name = `${tableName}.${column.databaseName}`;
      const found = stored.get(column.databaseName);
      stored.delete(column.databaseName);
      if (!found) {
        differences.push(`${name} is no column of the table`);
        continue;
      }
      const given = String(column.type);
      const sized = typeof column.precision === 'number' ? `${given}(${column.precision},${column.scale ?? 0})` : given;
      const mapped = `${NAMES[given] ?? sized}${column.isArray ? '[]' : ''}`;
      if (mapped !== found.type) differences.push(`${name} is ${found.type}, its entity says ${mapped}`);
      if (column.isNullable === found.required)
        differences.push(`${name} ${found.required ? 'must have a value' : 'may be empty'}, its entity says otherwise`);
      if (column.isGenerated !== found.generated)
        differences.push(
          `${name} is ${found.generated ? '' : 'not '}numbered by the database, its entity says otherwise`,
        );
      if (column.isPrimary !== (found.key !== null))
        differences.push(
          `${name} is ${found.key === null ? 'no ' : ''}part of the primary key, its entity says otherwise`,
        );
    }
    for (const name of stored.keys()) differences.push(`${tableName}.${name} is missing in the entity`);
  }
  return differences;
}
