import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { TOPICS, type Message } from '@bourse/events';
import { inMemory, readByAll, type Reading } from '@bourse/messaging';
import { UserEventReader } from '../application/user-event-reader.js';
import { GatewayDatabase } from '../../shared/persistence/gateway-database.js';
import { USER_EVENTS } from '../persistence/postgres-noted-numbers.js';

/**
 * Takes private events from their owners: in the embedded run directly, in the distributed run each gateway reads all
 * of them.
 */
@Controller()
export class UserEventsController {
  constructor(private readonly reader: UserEventReader) {}

  @EventPattern(TOPICS.userEvents, inMemory({ consumer: USER_EVENTS, database: GatewayDatabase }))
  take(@Payload() messages: readonly Message[]): void {
    this.reader.take(messages);
  }

  @EventPattern(TOPICS.userEvents, readByAll(USER_EVENTS))
  read(@Payload() reading: Reading): Promise<void> {
    return this.reader.read(reading);
  }
}
