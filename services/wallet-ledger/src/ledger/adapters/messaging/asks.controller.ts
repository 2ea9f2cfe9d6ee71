import { Controller } from '@nestjs/common';
import type { LedgerReply } from '@bourse/events';
import { firstReply } from '@bourse/ledger-client';
import {
  Answers,
  serviceAsks,
  walletLedgerAsks,
  type Balance,
  type CauseNet,
  type QuestionOf,
} from '@bourse/messaging';
import { LedgerAudit } from '../../application/audit/ledger-audit.js';
import { LedgerAuditor } from '../../application/audit/ledger-auditor.js';
import { CommandAnswers } from '../../application/command-answers.js';
import { LedgerReader } from '../../application/ports.js';
import { journalId } from '../../application/statement/journal-id.js';
import { Statement } from '../../application/statement/statement.js';

/** Answers the questions of other services to the ledger (docs/interfaces.md). */
@Controller()
export class LedgerAsksController {
  constructor(
    private readonly answers: CommandAnswers,
    private readonly reader: LedgerReader,
    private readonly audit: LedgerAudit,
    private readonly auditor: LedgerAuditor,
    private readonly statement: Statement,
  ) {}

  @Answers(walletLedgerAsks.answer)
  answer({ commandId, bodyHash }: QuestionOf<typeof walletLedgerAsks.answer>): Promise<LedgerReply | null> {
    return this.answers.find(commandId, bodyHash);
  }

  @Answers(serviceAsks.answers('wallet-ledger'))
  answersOf({ commandIds }: QuestionOf<typeof serviceAsks.answers>): Promise<LedgerReply | null> {
    return firstReply(commandIds, (commandId) => this.answers.find(commandId));
  }

  @Answers(walletLedgerAsks.balances)
  async balances({ userId }: QuestionOf<typeof walletLedgerAsks.balances>): Promise<Balance[]> {
    return (await this.reader.balances(userId)).map(({ currency, account, available, held }) => ({
      currency,
      product: account,
      available,
      held,
    }));
  }

  /** The ids by which people find the journals of an object in their statement. */
  @Answers(walletLedgerAsks.journals)
  async journals({ userId, causeType, causeId }: QuestionOf<typeof walletLedgerAsks.journals>): Promise<string[]> {
    return (await this.reader.journalsOf(userId, causeType, causeId)).map(journalId);
  }

  /** For the judge of lever risk: it alone debits these balances (architecture §7). */
  @Answers(walletLedgerAsks.lever)
  lever({ currency, userIds }: QuestionOf<typeof walletLedgerAsks.lever>) {
    return this.reader.availableOf('lever', 'h.lever', currency, userIds);
  }

  @Answers(walletLedgerAsks.savings)
  async savings({ currency }: QuestionOf<typeof walletLedgerAsks.savings>) {
    return { house: await this.reader.houseTotal('h.savings', currency) };
  }

  @Answers(walletLedgerAsks.holds)
  holds({ userId, lang = 'en' }: QuestionOf<typeof walletLedgerAsks.holds>) {
    return this.statement.holds(userId, undefined, lang);
  }

  @Answers(serviceAsks.audit('wallet-ledger'))
  auditNow() {
    return this.auditor.now();
  }

  @Answers(serviceAsks.auditHolds('wallet-ledger'))
  async auditHolds({ prefix, buckets }: QuestionOf<typeof serviceAsks.auditHolds>) {
    return buckets ? this.audit.holdLines(prefix, buckets) : { digests: await this.audit.holdDigests(prefix) };
  }

  /** For the auditor of a service whose objects they are. */
  @Answers(walletLedgerAsks.auditNets)
  auditNets({ causeType, causeIds }: QuestionOf<typeof walletLedgerAsks.auditNets>): Promise<readonly CauseNet[]> {
    return this.reader.netsOf(causeType, causeIds);
  }

  @Answers(serviceAsks.auditTrades('wallet-ledger'))
  async auditTrades(span: QuestionOf<typeof serviceAsks.auditTrades>) {
    return { moved: await this.audit.trades(span) };
  }
}
