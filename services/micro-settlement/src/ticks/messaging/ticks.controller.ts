import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { TOPICS } from '@bourse/events';
import { batches, type MessageBatch } from '@bourse/messaging';
import { Ticks } from '../application/ticks.js';
import { MicroDatabase } from '../../shared/application/database.js';

/** Takes the recorded prices from the log. */
@Controller()
export class TicksController {
  constructor(private readonly ticks: Ticks) {}

  @EventPattern(TOPICS.marketTicks, batches({ consumer: 'micro-settlement.ticks', database: MicroDatabase }))
  take(@Payload() { messages, tx }: MessageBatch): Promise<void> {
    return this.ticks.take(messages, tx);
  }
}
