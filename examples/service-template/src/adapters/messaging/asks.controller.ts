import { Controller } from '@nestjs/common';
import { resultsTopic } from '@bourse/events';
import {
  Answers,
  flowOf,
  serviceAsks,
  type AuditRound,
  type QuestionOf,
  type ServiceDescription,
} from '@bourse/messaging';
import { BoxStore, TemplateDatabase } from '../../application/ports.js';
import { HOLD_PREFIX } from '../../domain/box.js';

const SERVICE = 'service-template';

/** Answers of this service about its state, and to queries of the edge (docs/adding-a-service.md). */
@Controller()
export class TemplateAsksController {
  constructor(
    private readonly database: TemplateDatabase,
    private readonly store: BoxStore,
  ) {}

  @Answers(serviceAsks.describe(SERVICE))
  describe(): ServiceDescription {
    return {
      service: SERVICE,
      answers: 'own',
      breakers: ['template'],
      audits: true,
      // Its sagas get the outcomes of holds by results: it has no command topic.
      holds: [{ prefix: HOLD_PREFIX, commands: resultsTopic(SERVICE) }],
      stops: [`stream:${SERVICE}.sagas:`],
    };
  }

  @Answers(serviceAsks.audit(SERVICE))
  async audit(): Promise<AuditRound> {
    const wrong = await this.store.miscounted();
    const detail =
      wrong.length === 0 ? 'counts are those of the boxes' : `the boxes of ${wrong.join(', ')} are miscounted`;
    return {
      checks: [{ name: 'counts', ok: wrong.length === 0, detail }],
      flow: await this.database.transaction((tx) => flowOf(tx)),
    };
  }

  @Answers(serviceAsks.auditHolds(SERVICE))
  async auditHolds({ buckets }: QuestionOf<typeof serviceAsks.auditHolds>) {
    return buckets ? this.store.holdLines(buckets) : { digests: await this.store.holdDigests() };
  }
}
