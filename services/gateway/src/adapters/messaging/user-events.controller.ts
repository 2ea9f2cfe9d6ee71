import { Controller, Logger } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { isPrivateEvent } from '@bourse/contract';
import { decode, TOPICS, UserEventV1, type Message } from '@bourse/events';
import { inMemory } from '@bourse/messaging';
import { PrivateEvents } from '../../application/private-events.js';
import { GatewayDatabase } from '../persistence/gateway-database.js';

/**
 * Takes private events from their owners. One that cannot be read is left out with a line in the log: all it says can
 * be read by REST.
 */
@Controller()
export class UserEventsController {
  private readonly logger = new Logger('UserEvents');

  constructor(private readonly events: PrivateEvents) {}

  @EventPattern(TOPICS.userEvents, inMemory({ consumer: 'gateway.user-events', database: GatewayDatabase }))
  take(@Payload() messages: readonly Message[]): void {
    for (const message of messages) {
      const decoded = decode(UserEventV1, message);
      if (!decoded.ok) this.logger.error(`a private event was left out: ${decoded.error}`);
      else if (!isPrivateEvent(decoded.body.event))
        this.logger.error(`a private event was left out: nobody knows ${decoded.body.event}`);
      else this.events.add(decoded.body.userId, decoded.body.event, decoded.body.payload);
    }
  }
}
