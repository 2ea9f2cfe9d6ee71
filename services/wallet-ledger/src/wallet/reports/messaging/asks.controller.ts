import { Controller } from '@nestjs/common';
import { TOPICS } from '@bourse/events';
import { Answers, serviceAsks, type FoundThing, type QuestionOf, type ServiceDescription } from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import { AccountingReports, EXPORTS } from '../application/accounting-reports.js';

/** Answers the gateway's questions for operators: pieces of exports, open work, and balances of the house. */
@Controller()
export class WalletAsksController {
  constructor(private readonly reports: AccountingReports) {}

  @Answers(serviceAsks.describe('wallet-ledger'))
  describe(): ServiceDescription {
    return {
      service: 'wallet-ledger',
      answers: 'all',
      exports: EXPORTS,
      work: true,
      finds: true,
      breakers: ['withdraw'],
      audits: true,
      keepsHolds: true,
      trades: { settles: TOPICS.ledgerCommands },
      stops: ['stream:ledger.writer:'],
    };
  }

  @Answers(serviceAsks.export('wallet-ledger'))
  async export({ what, from, to, after }: QuestionOf<typeof serviceAsks.export>) {
    const known = EXPORTS.find((candidate) => candidate === what);
    if (known === undefined) throw new Refused('common.fieldInvalid', { field: 'what' }, { field: 'what' });
    return this.reports.piece(known, from, to, after);
  }

  @Answers(serviceAsks.find('wallet-ledger'))
  find({ text }: QuestionOf<typeof serviceAsks.find>): Promise<readonly FoundThing[]> {
    return this.reports.find(text);
  }

  @Answers(serviceAsks.work('wallet-ledger'))
  work() {
    return this.reports.work();
  }
}
