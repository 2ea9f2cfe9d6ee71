import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { bodiesOf, FeesPaidV1, TOPICS } from '@bourse/events';
import { batches, type MessageBatch } from '@bourse/messaging';
import { PointsAccrual } from '../application/points-accrual.js';
import { PointsDatabase } from '../../shared/application/database.js';
import { FACTS_GATHER } from '../../shared/messaging/facts.js';

/** Takes the fees that people have paid from the log. */
@Controller()
export class PointsFactsController {
  constructor(private readonly accrual: PointsAccrual) {}

  @EventPattern(
    TOPICS.ledgerFacts,
    batches({ consumer: 'points.fees', database: PointsDatabase, relaxed: true, ...FACTS_GATHER }),
  )
  take(@Payload() { messages, tx }: MessageBatch): Promise<void> {
    return this.accrual.take(tx, bodiesOf(FeesPaidV1, messages));
  }
}
