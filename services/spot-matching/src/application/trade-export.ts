/**
 * A piece of an export, oldest first within each market: rows of the named columns, and from where the next piece goes
 * on; null after the last.
 */
export interface ExportPiece {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly after: string | null;
}

/** All trades of a span of time, for operators (api §2.12). */
export abstract class TradeExport {
  /** `from`, `to` in ms, `to` is not part of it; `after` of the piece before, null for the first. */
  abstract piece(from: number, to: number, after: string | null): Promise<ExportPiece>;
}
