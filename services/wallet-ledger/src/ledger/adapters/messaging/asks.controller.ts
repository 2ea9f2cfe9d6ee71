import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { LEDGER_SENDERS, type LedgerReply } from '@bourse/events';
import { firstReply } from '@bourse/ledger-client';
import { askedBy, type AuditFlow } from '@bourse/messaging';
import { EDGE_SERVICE, type ServiceName } from '@bourse/platform';
import { LedgerAudit } from '../../application/audit/ledger-audit.js';
import { LedgerAuditor } from '../../application/audit/ledger-auditor.js';
import { CommandAnswers } from '../../application/command-answers.js';
import { LedgerReader, type NetRow } from '../../application/ports.js';
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

  @MessagePattern('wallet-ledger.answer', askedBy(EDGE_SERVICE, ...(Object.keys(LEDGER_SENDERS) as ServiceName[])))
  answer(
    @Payload() { commandId, bodyHash }: { commandId: string; bodyHash?: string | null },
  ): Promise<LedgerReply | null> {
    return this.answers.find(commandId, bodyHash);
  }

  @MessagePattern('wallet-ledger.answers', askedBy(EDGE_SERVICE))
  answersOf(@Payload() { commandIds }: { commandIds: readonly string[] }): Promise<LedgerReply | null> {
    return firstReply(commandIds, (commandId) => this.answers.find(commandId));
  }

  @MessagePattern('wallet-ledger.balances', askedBy('auth', 'market-data', 'micro-settlement', 'c2c-escrow', 'savings'))
  async balances(
    @Payload() { userId }: { userId: number },
  ): Promise<{ currency: number; product: string; available: string; held: string }[]> {
    return (await this.reader.balances(userId)).map(({ currency, account, available, held }) => ({
      currency,
      product: account,
      available,
      held,
    }));
  }

  /** The ids by which people find the journals of an object in their statement. */
  @MessagePattern('wallet-ledger.journals', askedBy('micro-settlement'))
  async journals(
    @Payload() { userId, causeType, causeId }: { userId: number; causeType: string; causeId: string },
  ): Promise<string[]> {
    return (await this.reader.journalsOf(userId, causeType, causeId)).map(journalId);
  }

  /** For the judge of lever risk: it alone debits these balances (architecture §7). */
  @MessagePattern('wallet-ledger.lever', askedBy('lever-risk'))
  lever(@Payload() { currency, userIds }: { currency: number; userIds: readonly number[] }) {
    return this.reader.availableOf('lever', 'h.lever', currency, userIds);
  }

  @MessagePattern('wallet-ledger.holds', askedBy('auth'))
  holds(@Payload() { userId, lang = 'en' }: { userId: number; lang?: string }) {
    return this.statement.holds(userId, undefined, lang);
  }

  @MessagePattern('wallet-ledger.audit', askedBy(EDGE_SERVICE))
  auditNow() {
    return this.auditor.now();
  }

  @MessagePattern('wallet-ledger.audit.holds', askedBy(EDGE_SERVICE))
  async auditHolds(@Payload() { prefix, buckets }: { prefix: string; buckets?: readonly number[] }) {
    return buckets ? this.audit.holdLines(prefix, buckets) : { digests: await this.audit.holdDigests(prefix) };
  }

  /** For the auditor of a service whose objects they are. */
  @MessagePattern('wallet-ledger.audit.nets', askedBy('c2c-escrow'))
  auditNets(
    @Payload() { causeType, causeIds }: { causeType: string; causeIds: readonly string[] },
  ): Promise<readonly NetRow[]> {
    return this.reader.netsOf(causeType, causeIds);
  }

  @MessagePattern('wallet-ledger.audit.trades', askedBy(EDGE_SERVICE))
  async auditTrades(
    @Payload()
    span: { symbol: string; from: number; to: number; each?: boolean; until?: AuditFlow['heads'] },
  ) {
    return { moved: await this.audit.trades(span) };
  }
}
