import type { AuthDatabase, Seal } from '../../application/ports.js';

const PIECE = 500;

/** Seals id numbers that an earlier release stored as they are, and empties their old place. Without such rows it reads once and writes nothing. */
export async function sealCards(database: AuthDatabase, seal: Seal): Promise<void> {
  for (;;) {
    const rows = await database.query<{ id: string; card_id: string }>(
      `select id, card_id from account where card_id <> '' limit $1`,
      [PIECE],
    );
    if (rows.length === 0) return;
    await database.execute(
      `update account a set card_sealed = given.sealed, card_id = '' from unnest($1::bigint[], $2::text[]) as given (id, sealed) where a.id = given.id and a.card_id <> ''`,
      [rows.map(({ id }) => id), rows.map(({ card_id }) => seal.seal('card', card_id))],
    );
  }
}
