/**
 * A piece of an export, oldest first within each market: rows of the named columns, with the cursor of the next piece;
 * null after the last.
 */
export interface ExportPiece {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly after: string | null;
}

/** All trades of a period, for operators (api §2.12). */
export abstract class TradeExport {
  /** `from`, `to` in ms, `to` is exclusive; `after`: cursor of the previous piece, null for the first. */
  abstract piece(from: number, to: number, after: string | null): Promise<ExportPiece>;
}
