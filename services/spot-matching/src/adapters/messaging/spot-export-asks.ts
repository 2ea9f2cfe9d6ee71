import { Injectable } from '@nestjs/common';
import { Asks } from '@bourse/messaging';
import { TradeExport } from '../../application/trade-export.js';

/** Pieces of the export of trades, asked for by the gateway. */
@Injectable()
export class SpotExportAsks {
  constructor(asks: Asks, trades: TradeExport) {
    asks.handle(
      'spot-matching.export',
      ({ from, to, after }: { from: number; to: number; after: string | null }) => trades.piece(from, to, after),
      ['gateway'],
    );
  }
}
