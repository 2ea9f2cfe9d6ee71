import type { EntityManager, EntityTarget, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';

/**
 * Adds rows in one statement; a row whose key, or another unique value, is taken already stays out. Answers how many
 * were added.
 */
export async function insertMissing<E extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<E>,
  rows: QueryDeepPartialEntity<E>[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const inserted = await manager
    .createQueryBuilder()
    .insert()
    // Columns are named, because a given id must be written instead of one that the database draws.
    .into(entity, [...new Set(rows.flatMap((row) => Object.keys(row)))])
    .values(rows)
    .orIgnore()
    .updateEntity(false)
    .returning('1')
    .execute();
  return (inserted.raw as unknown[]).length;
}
