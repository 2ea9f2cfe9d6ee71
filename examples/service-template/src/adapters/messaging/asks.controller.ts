import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { resultsTopic } from '@bourse/events';
import { askedBy, flowOf, type AuditCheck, type AuditFlow, type ServiceDescription } from '@bourse/messaging';
import { EDGE_SERVICE } from '@bourse/platform';
import { BoxStore, TemplateDatabase } from '../../application/ports.js';
import { HOLD_PREFIX } from '../../domain/box.js';

const SERVICE = 'service-template';

/** The service's description of itself, and its answers to the edge (docs/adding-a-service.md). */
@Controller()
export class TemplateAsksController {
  constructor(
    private readonly database: TemplateDatabase,
    private readonly store: BoxStore,
  ) {}

  @MessagePattern(`${SERVICE}.describe`, askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    return {
      service: SERVICE,
      answers: 'own',
      breakers: ['template'],
      audits: true,
      // Its sagas learn the outcome of holds by results: no topic of commands leads to it.
      holds: [{ prefix: HOLD_PREFIX, commands: resultsTopic(SERVICE) }],
      stops: [`stream:${SERVICE}.sagas:`],
    };
  }

  @MessagePattern(`${SERVICE}.audit`, askedBy(EDGE_SERVICE))
  async audit(): Promise<{ checks: AuditCheck[]; flow: AuditFlow }> {
    const wrong = await this.store.miscounted();
    const detail =
      wrong.length === 0 ? 'counts are those of the boxes' : `the boxes of ${wrong.join(', ')} are miscounted`;
    return {
      checks: [{ name: 'counts', ok: wrong.length === 0, detail }],
      flow: await this.database.transaction((tx) => flowOf(tx)),
    };
  }

  @MessagePattern(`${SERVICE}.audit.holds`, askedBy(EDGE_SERVICE))
  async auditHolds(@Payload() { buckets }: { buckets?: readonly number[] }) {
    return buckets ? this.store.holdLines(buckets) : { digests: await this.store.holdDigests() };
  }
}
