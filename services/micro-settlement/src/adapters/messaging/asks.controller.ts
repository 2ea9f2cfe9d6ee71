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
  type HouseBook,
  type ServiceDescription,
} from '@bourse/messaging';
import { AnswerStore } from '@bourse/persistence';
import { EDGE_SERVICE } from '@bourse/platform';
import { MicroAudit, MicroDatabase } from '../../application/ports.js';
import { HOLD_PREFIX } from '../../domain/contract.js';

const SERVICE = 'micro-settlement';

/** What this service says of itself, and what the edge asks it. */
@Controller()
export class MicroAsksController {
  private readonly answers: AnswerStore;

  constructor(
    private readonly database: MicroDatabase,
    private readonly auditor: MicroAudit,
  ) {
    this.answers = new AnswerStore(database);
  }

  @MessagePattern(`${SERVICE}.describe`, askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    return {
      service: SERVICE,
      answers: 'own',
      audits: true,
      againstHouse: true,
      // Its sagas hear of holds by results: no topic of commands leads to it.
      holds: [{ prefix: HOLD_PREFIX, commands: resultsTopic(SERVICE) }],
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
  async auditHolds(@Payload() { buckets }: { buckets?: readonly number[] }) {
    return buckets ? this.auditor.holdLines(buckets) : { digests: await this.auditor.holdDigests() };
  }

  /** All that can be owed is set aside when a contract is taken. */
  @MessagePattern(`${SERVICE}.house`, askedBy(EDGE_SERVICE))
  async house(): Promise<HouseBook[]> {
    const lines = await this.auditor.house();
    const outcomes: Record<string, number> = {};
    for (const line of lines)
      for (const [result, count] of Object.entries(line.outcomes)) outcomes[result] = (outcomes[result] ?? 0) + count;
    const currencies = lines.map(({ currency, reserved }) => [currency, { reserved, owed_at_most: reserved }] as const);
    return [{ product: 'micro', currencies: Object.fromEntries(currencies), outcomes }];
  }
}
