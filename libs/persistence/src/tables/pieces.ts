/** A piece of the rows of a history, and the place of its last row; undefined when none follow. */
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
    if (rows.length > 0) yield rows;
    if (last === undefined) return;
    after = last;
  }
}
