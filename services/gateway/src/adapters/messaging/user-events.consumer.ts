import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { isPrivateEvent } from '@bourse/contract';
import { decode, TOPICS, UserEventV1, type Message } from '@bourse/events';
import { Log } from '@bourse/messaging';
import { PrivateEvents } from '../../application/private-events.js';
import { GatewayDatabase } from '../persistence/gateway-database.js';

/**
 * Takes private events from their owners. One that cannot be read is left out with a line in the log: all it says can
 * be read by REST.
 */
@Injectable()
export class UserEventsConsumer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('UserEvents');
  private handle: { stop(): Promise<void> } | undefined;

  constructor(
    private readonly log: Log,
    private readonly database: GatewayDatabase,
    private readonly events: PrivateEvents,
  ) {}

  onApplicationBootstrap(): void {
    this.handle = this.log.follow({
      consumer: 'gateway.user-events',
      topic: TOPICS.userEvents,
      database: this.database,
      take: (messages) => this.take(messages),
    });
  }
  async onApplicationShutdown(): Promise<void> {
    await this.handle?.stop();
  }

  private take(messages: readonly Message[]): void {
    for (const message of messages) {
      const decoded = decode(UserEventV1, message);
      if (!decoded.ok) this.logger.error(`a private event was left out: ${decoded.error}`);
      else if (!isPrivateEvent(decoded.body.event))
        this.logger.error(`a private event was left out: nobody knows ${decoded.body.event}`);
      else this.events.add(decoded.body.userId, decoded.body.event, decoded.body.payload);
    }
  }
}
