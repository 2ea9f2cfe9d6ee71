import { Injectable } from '@nestjs/common';
import { Asks } from '@bourse/messaging';
import { csvRow } from '@bourse/platform';
import { AuditLog } from './audit-log.js';

/** What can be exported, and who owns it. */
export const EXPORTS = {
  journals: 'wallet-ledger',
  trades: 'spot-matching',
  withdrawals: 'wallet-ledger',
  deposits: 'wallet-ledger',
  users: 'auth',
  audit: 'gateway',
} as const;
export type Exported = keyof typeof EXPORTS;
/** `to` is not part of it; ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}
/**
 * A piece of an export, oldest first: rows of the named columns, and from where the next piece goes on; null after the
 * last.
 */
export interface ExportPiece {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly after: string | null;
}

const AUDIT_COLUMNS = ['id', 'time', 'operator', 'action', 'target', 'reason', 'before', 'after'] as const;
const PIECE = 500;
const ASK_MS = 4_000;

/**
 * Exports for operators: asked piece by piece from their owner, so that none ever stands in memory whole (api §2.12).
 */
@Injectable()
export class Exports {
  constructor(
    private readonly asks: Asks,
    private readonly trail: AuditLog,
  ) {}

  /**
   * CSV in pieces. The first one is read before it returns, so that an owner who is away is a refusal and not half a
   * file.
   */
  async csv(what: Exported, span: Span): Promise<AsyncGenerator<string>> {
    const first = await this.piece(what, span, null);
    return this.rest(what, span, first);
  }

  private async *rest(what: Exported, span: Span, first: ExportPiece): AsyncGenerator<string> {
    yield csvRow(first.columns);
    for (let piece = first; ; piece = await this.piece(what, span, piece.after)) {
      yield piece.rows.map(csvRow).join('');
      if (piece.after === null) return;
    }
  }

  private piece(what: Exported, span: Span, after: string | null): Promise<ExportPiece> {
    return what === 'audit'
      ? this.audit(span, after)
      : this.asks.ask<object, ExportPiece>(`${EXPORTS[what]}.export`, { what, ...span, after }, ASK_MS);
  }

  private async audit(span: Span, after: string | null): Promise<ExportPiece> {
    const lines = await this.trail.after(span, Number(after ?? 0), PIECE);
    return {
      columns: AUDIT_COLUMNS,
      after: lines.length < PIECE ? null : String(lines.at(-1)?.id),
      rows: lines.map(({ at, ...line }) => {
        const shown = { ...line, time: new Date(at).toISOString() };
        return AUDIT_COLUMNS.map((name) => shown[name]);
      }),
    };
  }
}
