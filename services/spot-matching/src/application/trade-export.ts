import type { ExportPiece } from '@bourse/messaging';

/** All trades of a span of time, for operators (api §2.12). */
export abstract class TradeExport {
  /** `from`, `to` in ms, `to` is not part of it; `after` of the piece before, null for the first. */
  abstract piece(from: number, to: number, after: string | null): Promise<ExportPiece>;
}
