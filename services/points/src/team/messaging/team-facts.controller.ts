import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { TOPICS } from '@bourse/events';
import { batches, type MessageBatch } from '@bourse/messaging';
import { PointsDatabase } from '../../shared/application/database.js';
import { Rebates } from '../application/rebates.js';
import { TeamFacts } from '../application/team-facts.js';
import { FACTS_GATHER } from '../../shared/messaging/facts.js';

/** Takes the facts of auth and the ledger about people, deposits and fees. */
@Controller()
export class TeamFactsController {
  constructor(
    private readonly facts: TeamFacts,
    private readonly rebates: Rebates,
  ) {}

  @EventPattern(TOPICS.peopleFacts, batches({ consumer: 'points.team-people', database: PointsDatabase }))
  async people(@Payload() { messages, tx }: MessageBatch): Promise<void> {
    await this.facts.people(messages, tx);
    await this.rebates.retry(tx);
  }

  @EventPattern(
    TOPICS.ledgerFacts,
    batches({ consumer: 'points.team-ledger', database: PointsDatabase, ...FACTS_GATHER }),
  )
  async ledger(@Payload() { messages, tx }: MessageBatch): Promise<void> {
    await this.facts.deposits(messages, tx);
    await this.rebates.fees(messages, tx);
  }
}
