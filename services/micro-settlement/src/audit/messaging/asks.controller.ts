import { Controller } from '@nestjs/common';
import { resultsTopic } from '@bourse/events';
import {
  Answers,
  flowOf,
  isRowId,
  serviceAsks,
  type AuditRound,
  type FoundThing,
  type HouseBook,
  type QuestionOf,
  type ServiceDescription,
} from '@bourse/messaging';
import { ContractStore } from '../../contracts/application/ports.js';
import { HOLD_PREFIX } from '../../contracts/domain/contract.js';
import { MicroDatabase } from '../../shared/application/database.js';
import { MicroAudit } from '../persistence/micro-audit.js';

const SERVICE = 'micro-settlement';

/** The service's description of itself, and its answers to the edge. */
@Controller()
export class MicroAsksController {
  constructor(
    private readonly database: MicroDatabase,
    private readonly auditor: MicroAudit,
    private readonly contracts: ContractStore,
  ) {}

  @Answers(serviceAsks.describe(SERVICE))
  describe(): ServiceDescription {
    return {
      service: SERVICE,
      answers: 'own',
      audits: true,
      againstHouse: true,
      finds: true,
      // Its sagas learn the outcome of holds by results: no topic of commands leads to it.
      holds: [{ prefix: HOLD_PREFIX, commands: resultsTopic(SERVICE) }],
      stops: [`stream:${SERVICE}.sagas:`],
    };
  }

  @Answers(serviceAsks.find(SERVICE))
  async find({ text }: QuestionOf<typeof serviceAsks.find>): Promise<readonly FoundThing[]> {
    const contract = isRowId(text) ? await this.contracts.find(text) : null;
    if (contract === null) return [];
    return [{ kind: 'contract', id: contract.id, userId: contract.userId, title: contract.symbol, role: 'support' }];
  }

  @Answers(serviceAsks.audit(SERVICE))
  async audit(): Promise<AuditRound> {
    return { checks: await this.auditor.checks(), flow: await this.database.transaction((tx) => flowOf(tx)) };
  }

  @Answers(serviceAsks.auditHolds(SERVICE))
  async auditHolds({ buckets }: QuestionOf<typeof serviceAsks.auditHolds>) {
    return buckets ? this.auditor.holdLines(buckets) : { digests: await this.auditor.holdDigests() };
  }

  /** All that can be owed is set aside when a contract is taken. */
  @Answers(serviceAsks.house(SERVICE))
  async house(): Promise<HouseBook[]> {
    const lines = await this.auditor.house();
    const outcomes: Record<string, number> = {};
    for (const line of lines)
      for (const [result, count] of Object.entries(line.outcomes)) outcomes[result] = (outcomes[result] ?? 0) + count;
    const currencies = lines.map(({ currency, reserved }) => [currency, { reserved, owed_at_most: reserved }] as const);
    return [{ product: 'micro', currencies: Object.fromEntries(currencies), outcomes }];
  }
}
