/** A piece of a history: its matching rows, perhaps none, and the last place that was read; undefined at the end. */
export interface Piece<Row, Place> {
  readonly rows: readonly Row[];
  readonly last: Place | undefined;
}

/**
 * Reads a history piece by piece, each from the place where the one before ended. The caller fixes the end before the
 * first piece, and places never change: so no row comes twice or is lost, whatever is written meanwhile.
 */
export async function* readPieces<Row, Place>(
  read: (after: Place | undefined) => Promise<Piece<Row, Place>>,
): AsyncGenerator<readonly Row[]> {
  for (let after: Place | undefined; ;) {
    const { rows, last } = await read(after);
    if (rows.length > 0 || last !== undefined) yield rows;
    if (last === undefined) return;
    after = last;
  }
}
