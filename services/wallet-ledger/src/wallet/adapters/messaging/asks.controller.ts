import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { TOPICS } from '@bourse/events';
import { askedBy, type ServiceDescription } from '@bourse/messaging';
import { EDGE_SERVICE, Refused } from '@bourse/platform';
import { AccountingReports, EXPORTS } from '../../application/reports/accounting-reports.js';

/** Answers the gateway's questions for operators: pieces of exports, open work, and balances of the house. */
@Controller()
export class WalletAsksController {
  constructor(private readonly reports: AccountingReports) {}

  @MessagePattern('wallet-ledger.describe', askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    return {
      service: 'wallet-ledger',
      answers: 'all',
      exports: EXPORTS,
      work: true,
      breakers: ['withdraw'],
      audits: true,
      keepsHolds: true,
      trades: { settles: TOPICS.ledgerCommands },
      stops: ['stream:ledger.writer:'],
    };
  }

  @MessagePattern('wallet-ledger.export', askedBy(EDGE_SERVICE))
  async export(@Payload() { what, from, to, after }: { what: string; from: number; to: number; after: string | null }) {
    const known = EXPORTS.find((candidate) => candidate === what);
    if (known === undefined) throw new Refused('common.fieldInvalid', { field: 'what' }, { field: 'what' });
    return this.reports.piece(known, from, to, after);
  }

  @MessagePattern('wallet-ledger.work', askedBy(EDGE_SERVICE))
  work() {
    return this.reports.work();
  }
}
