import { Injectable } from '@nestjs/common';
import { TOPICS } from '@bourse/events';
import { Asks, describeService } from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import { AccountingReports, EXPORTS } from '../../application/reports/accounting-reports.js';

/** What the gateway asks for operators: pieces of exports, what waits for them, and what both houses are. */
@Injectable()
export class WalletAsks {
  constructor(asks: Asks, reports: AccountingReports) {
    describeService(asks, {
      service: 'wallet-ledger',
      answers: 'all',
      exports: EXPORTS,
      work: true,
      breakers: ['withdraw'],
      audits: true,
      keepsHolds: true,
      trades: { settles: TOPICS.ledgerCommands },
      stops: ['stream:ledger.writer:'],
    });
    asks.handle(
      'wallet-ledger.export',
      async ({ what, from, to, after }: { what: string; from: number; to: number; after: string | null }) => {
        const known = EXPORTS.find((candidate) => candidate === what);
        if (known === undefined) throw new Refused('common.fieldInvalid', { field: 'what' }, { field: 'what' });
        return reports.piece(known, from, to, after);
      },
      ['gateway'],
    );
    asks.handle('wallet-ledger.work', () => reports.work(), ['gateway']);
  }
}
