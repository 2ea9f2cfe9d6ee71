import { Controller, Inject, type Type } from '@nestjs/common';
import { resultsTopic } from '@bourse/events';
import {
  Answers,
  hasFinds,
  hasWork,
  joinParts,
  PartsAudit,
  serviceAsks,
  type JoinedParts,
  type QuestionOf,
  type ServiceDescription,
  type ServiceOfParts,
} from '@bourse/messaging';
import { Ids, RandomIds } from '@bourse/platform';
import { answerAsks } from './answer-asks.js';

/**
 * The common frame of a service whose parts move money by sagas: its parts joined (`joinParts`), its description, the
 * stored answers of its commands, the holds that its objects need in the ledger, and `Ids` for them.
 */
export function productFrame(product: ServiceOfParts): JoinedParts {
  const { controllers, providers } = joinParts(product);
  return {
    controllers: [productAsks(product), answerAsks(product.service, product.database), ...controllers],
    providers: [{ provide: Ids, useClass: RandomIds }, ...providers],
  };
}

function productAsks({ service, parts }: ServiceOfParts): Type {
  @Controller()
  class ProductAsksController {
    constructor(@Inject(PartsAudit) private readonly auditor: PartsAudit) {}

    @Answers(serviceAsks.describe(service))
    describe(): ServiceDescription {
      const commands = resultsTopic(service);
      return {
        service,
        answers: 'own',
        audits: true,
        ...(hasWork(parts) ? { work: true } : {}),
        ...(hasFinds(parts) ? { finds: true } : {}),
        // Its sagas learn the outcome of holds by results: no topic of commands leads to it.
        holds: this.auditor.prefixes.map((prefix) => ({ prefix, commands })),
        stops: [`stream:${service}.sagas:`],
      };
    }

    @Answers(serviceAsks.auditHolds(service))
    async auditHolds({ prefix, buckets }: QuestionOf<typeof serviceAsks.auditHolds>) {
      return buckets ? this.auditor.holdLines(prefix, buckets) : { digests: await this.auditor.holdDigests(prefix) };
    }
  }
  return ProductAsksController;
}
