import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { decode, FeesPaidV1, TOPICS, type FeesPaid } from '@bourse/events';
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
    const facts = messages.flatMap((message): FeesPaid[] => {
      if (message.type !== FeesPaidV1.name) return [];
      const decoded = decode(FeesPaidV1, message);
      if (!decoded.ok) throw new Error(decoded.error);
      return [decoded.body];
    });
    return this.accrual.take(tx, facts);
  }
}
