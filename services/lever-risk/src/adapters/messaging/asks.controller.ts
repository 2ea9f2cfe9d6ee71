import { Controller } from '@nestjs/common';
import { resultsTopic } from '@bourse/events';
import {
  Answers,
  flowOf,
  leverRiskAsks,
  isRowId,
  serviceAsks,
  type AuditRound,
  type Exposure,
  type FoundThing,
  type HouseBook,
  type QuestionOf,
  type ServiceDescription,
} from '@bourse/messaging';
import type { Notice } from '@bourse/platform';
import { OpenExposures } from '../../application/exposures.js';
import { LeverHouse } from '../../application/lever-house.js';
import { LeverAuditReads, LeverDatabase, PositionStore } from '../../application/ports.js';
import { TakeOut } from '../../application/take-out.js';
import { HOLD_PREFIX } from '../../domain/position.js';

const SERVICE = 'lever-risk';

/** Describes this service and answers the asks of others (docs/adding-a-service.md). */
@Controller()
export class LeverAsksController {
  constructor(
    private readonly database: LeverDatabase,
    private readonly reads: LeverAuditReads,
    private readonly takeOut: TakeOut,
    private readonly houseBook: LeverHouse,
    private readonly positions: PositionStore,
    private readonly exposures: OpenExposures,
  ) {}

  @Answers(serviceAsks.describe(SERVICE))
  describe(): ServiceDescription {
    return {
      service: SERVICE,
      // Transfers out of lever are calls of the wallet that this service answers.
      answers: 'all',
      audits: true,
      againstHouse: true,
      finds: true,
      // Its sagas learn of holds by results: it has no topic of commands.
      holds: [{ prefix: HOLD_PREFIX, commands: resultsTopic(SERVICE) }],
      stops: [`stream:${SERVICE}.sagas:`],
    };
  }

  @Answers(serviceAsks.find(SERVICE))
  async find({ text }: QuestionOf<typeof serviceAsks.find>): Promise<readonly FoundThing[]> {
    const position = isRowId(text) ? await this.positions.find(text) : null;
    if (position === null) return [];
    const title = `${position.direction} × ${position.leverage}`;
    return [{ kind: 'position', id: position.id, userId: position.userId, title, role: 'support' }];
  }

  /** A transfer out of lever that the wallet has checked (architecture §7). */
  @Answers(leverRiskAsks.transfer)
  async transfer({ context, ...outgoing }: QuestionOf<typeof leverRiskAsks.transfer>) {
    return idOf(await this.takeOut.transfer(outgoing, context));
  }

  /** A correction that debits lever, approved by two operators. */
  @Answers(leverRiskAsks.correct)
  async correct({ context, ...outgoing }: QuestionOf<typeof leverRiskAsks.correct>) {
    return idOf(await this.takeOut.correct(outgoing, context));
  }

  @Answers(leverRiskAsks.exposures)
  exposuresOf({ userId, ends }: QuestionOf<typeof leverRiskAsks.exposures>): Promise<readonly Exposure[]> {
    return this.exposures.of(userId, ends);
  }

  @Answers(serviceAsks.house(SERVICE))
  async house(): Promise<readonly HouseBook[]> {
    return [await this.houseBook.read()];
  }

  @Answers(serviceAsks.audit(SERVICE))
  async audit(): Promise<AuditRound> {
    const wrong = await this.reads.wrongs();
    const detail = wrong.length === 0 ? 'open notional and settlements fit the positions' : wrong.join('; ');
    return {
      checks: [{ name: 'positions', ok: wrong.length === 0, detail }],
      flow: await this.database.transaction((tx) => flowOf(tx)),
    };
  }

  @Answers(serviceAsks.auditHolds(SERVICE))
  async auditHolds({ buckets }: QuestionOf<typeof serviceAsks.auditHolds>) {
    return buckets ? this.reads.holdLines(buckets) : { digests: await this.reads.holdDigests() };
  }
}

function idOf(notice: Notice): { id: string } {
  const { id } = notice.extra;
  if (typeof id !== 'string') throw new Error('invariant: a transfer is answered with its id');
  return { id };
}
