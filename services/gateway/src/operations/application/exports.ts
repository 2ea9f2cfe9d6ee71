import { Injectable } from '@nestjs/common';
import { Asks, AskUnavailable, serviceAsks, type ExportPiece } from '@bourse/messaging';
import { csvRow, EDGE_SERVICE } from '@bourse/platform';
import { Descriptions } from '../../shared/application/descriptions.js';
import { AuditLog } from './audit-log.js';

/** `to` is exclusive; ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const AUDIT_COLUMNS = ['id', 'time', 'operator', 'action', 'target', 'reason', 'before', 'after'] as const;
const PIECE = 500;
const ASK_TIMEOUT_MS = 4_000;

/**
 * Exports for operators: read piece by piece from their owner, so that none is ever in memory as a whole (api §2.12).
 */
@Injectable()
export class Exports {
  constructor(
    private readonly asks: Asks,
    private readonly trail: AuditLog,
    private readonly descriptions: Descriptions,
  ) {}

  /** CSV in pieces. */
  async *csv(what: string, span: Span): AsyncGenerator<string> {
    let piece = await this.piece(what, span, null);
    yield csvRow(piece.columns);
    for (;;) {
      yield piece.rows.map(csvRow).join('');
      if (piece.after === null) return;
      piece = await this.piece(what, span, piece.after);
    }
  }

  private piece(what: string, span: Span, after: string | null): Promise<ExportPiece> {
    const owner = this.descriptions.exports().get(what);
    if (owner === undefined) throw new AskUnavailable(`no service exports ${what}`);
    return owner === EDGE_SERVICE
      ? this.audit(span, after)
      : this.asks.ask(serviceAsks.export(owner), { what, ...span, after }, ASK_TIMEOUT_MS);
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
