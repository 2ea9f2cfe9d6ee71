import { Injectable } from '@nestjs/common';
import { resultsTopic, type LedgerReply } from '@bourse/events';
import { replyOf } from '@bourse/ledger-client';
import { Asks, AskUnavailable, describeService, flowOf, type AuditCheck, type AuditFlow } from '@bourse/messaging';
import { AnswerStore } from '@bourse/persistence';
import { EDGE_SERVICE } from '@bourse/platform';
import { BoxStore, TemplateDatabase } from '../../application/ports.js';
import { HOLD_PREFIX } from '../../domain/box.js';

const SERVICE = 'service-template';

/** What this service says of itself, and what the edge asks it (docs/adding-a-service.md). */
@Injectable()
export class TemplateAsks {
  private readonly answers: AnswerStore;

  constructor(
    asks: Asks,
    private readonly database: TemplateDatabase,
    private readonly store: BoxStore,
  ) {
    this.answers = new AnswerStore(database);
    describeService(asks, {
      service: SERVICE,
      answers: 'own',
      breakers: ['template'],
      audits: true,
      // Its sagas hear of holds by results: no topic of commands leads to it.
      holds: [{ prefix: HOLD_PREFIX, commands: resultsTopic(SERVICE) }],
      stops: [`stream:${SERVICE}.sagas:`],
    });
    const asked = [EDGE_SERVICE] as const;
    asks.handle(`${SERVICE}.answer`, ({ commandId }: { commandId: string }) => this.answer(commandId), asked);
    asks.handle(`${SERVICE}.audit`, () => this.audit(), asked);
    asks.handle(
      `${SERVICE}.audit.holds`,
      async ({ buckets }: { buckets?: readonly number[] }) =>
        buckets ? this.store.holdLines(buckets) : { digests: await this.store.holdDigests() },
      asked,
    );
  }

  private async answer(commandId: string): Promise<LedgerReply | null> {
    const found = await this.answers.find(commandId);
    if (found?.state === 'pending') throw new AskUnavailable(`${commandId} is not decided yet`);
    return found ? replyOf(commandId, found.answer) : null;
  }

  private async audit(): Promise<{ checks: AuditCheck[]; flow: AuditFlow }> {
    const wrong = await this.store.miscounted();
    const detail =
      wrong.length === 0 ? 'counts are those of the boxes' : `the boxes of ${wrong.join(', ')} are miscounted`;
    return {
      checks: [{ name: 'counts', ok: wrong.length === 0, detail }],
      flow: await this.database.transaction((tx) => flowOf(tx)),
    };
  }
}
