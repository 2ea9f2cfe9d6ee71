import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { resultsTopic, type LedgerReply } from '@bourse/events';
import { replyOf } from '@bourse/ledger-client';
import {
  askedBy,
  AskUnavailable,
  flowOf,
  type AuditCheck,
  type AuditFlow,
  type ServiceDescription,
} from '@bourse/messaging';
import { AnswerStore } from '@bourse/persistence';
import { EDGE_SERVICE } from '@bourse/platform';
import { PointsAudit, PointsDatabase } from '../../application/ports.js';

const SERVICE = 'points';

/** What this service says of itself, and what the edge asks it. */
@Controller()
export class PointsAsksController {
  private readonly answers: AnswerStore;

  constructor(
    private readonly database: PointsDatabase,
    private readonly auditor: PointsAudit,
  ) {
    this.answers = new AnswerStore(database);
  }

  @MessagePattern(`${SERVICE}.describe`, askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    const commands = resultsTopic(SERVICE);
    return {
      service: SERVICE,
      answers: 'own',
      audits: true,
      // Its sagas hear of holds by results: no topic of commands leads to it.
      holds: this.auditor.prefixes.map((prefix) => ({ prefix, commands })),
      stops: [`stream:${SERVICE}.sagas:`],
    };
  }

  @MessagePattern(`${SERVICE}.answer`, askedBy(EDGE_SERVICE))
  async answer(@Payload() { commandId }: { commandId: string }): Promise<LedgerReply | null> {
    const found = await this.answers.find(commandId);
    if (found?.state === 'pending') throw new AskUnavailable(`${commandId} is not decided yet`);
    return found ? replyOf(commandId, found.answer) : null;
  }

  @MessagePattern(`${SERVICE}.audit`, askedBy(EDGE_SERVICE))
  async audit(): Promise<{ checks: readonly AuditCheck[]; flow: AuditFlow }> {
    return { checks: await this.auditor.checks(), flow: await this.database.transaction((tx) => flowOf(tx)) };
  }

  @MessagePattern(`${SERVICE}.audit.holds`, askedBy(EDGE_SERVICE))
  async auditHolds(@Payload() { prefix, buckets }: { prefix: string; buckets?: readonly number[] }) {
    return buckets ? this.auditor.holdLines(prefix, buckets) : { digests: await this.auditor.holdDigests(prefix) };
  }
}
