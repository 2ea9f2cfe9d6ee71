import type { ExportPiece } from '@bourse/messaging';

/** All trades of a period, for operators (api §2.12). */
export abstract class TradeExport {
  /** `from`, `to` in ms, `to` is exclusive; `after`: cursor of the previous piece, null for the first. */
  abstract piece(from: number, to: number, after: string | null): Promise<ExportPiece>;
}
