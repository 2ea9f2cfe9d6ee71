import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { TOPICS } from '@bourse/events';
import { batches, type MessageBatch } from '@bourse/messaging';
import { PointsDatabase } from '../../application/ports.js';
import { TeamFacts } from '../../application/team-facts.js';

/** Takes what auth and the ledger tell of people, deposits and fees. */
@Controller()
export class TeamFactsController {
  constructor(private readonly facts: TeamFacts) {}

  @EventPattern(TOPICS.peopleFacts, batches({ consumer: 'points.team-people', database: PointsDatabase }))
  people(@Payload() { messages, tx }: MessageBatch): Promise<void> {
    return this.facts.people(messages, tx);
  }

  @EventPattern(TOPICS.ledgerFacts, batches({ consumer: 'points.team-ledger', database: PointsDatabase }))
  async ledger(@Payload() { messages, tx }: MessageBatch): Promise<void> {
    await this.facts.deposits(messages, tx);
  }
}
