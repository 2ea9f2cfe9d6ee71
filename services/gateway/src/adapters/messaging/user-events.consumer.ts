import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { decode, TOPICS, UserEventV1, type Message, type UserEvent } from '@bourse/events';
import { Log } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { PrivateEvents } from '../../application/private-events.js';
import { GatewayDatabase } from '../persistence/gateway-database.js';

/** Takes private events from their owners. One that cannot be read is left out with a line in the log: all it says can be read by REST. */
@Injectable()
export class UserEventsConsumer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('UserEvents');
  private handle: { stop(): Promise<void> } | undefined;

  constructor(private readonly log: Log, private readonly database: GatewayDatabase, private readonly events: PrivateEvents) {}

  onApplicationBootstrap(): void {
    this.handle = this.log.consume({ consumer: 'gateway.user-events', topic: TOPICS.userEvents, database: this.database, relaxed: true, atOnce: true, gatherMs: 4, handle: (messages, tx) => this.take(messages, tx) });
  }
  async onApplicationShutdown(): Promise<void> { await this.handle?.stop(); }

  private take(messages: readonly Message[], tx: Tx): Promise<void> {
    const read: UserEvent[] = [];
    for (const message of messages) {
      const decoded = decode(UserEventV1, message);
      if (decoded.ok) read.push(decoded.body);
      else this.logger.error(`a private event was left out: ${decoded.error}`);
    }
    // Numbered only when the position has moved: a batch that comes again is not sent twice.
    tx.afterCommit(() => { for (const { userId, event, payload } of read) this.events.add(userId, event, payload); });
    return Promise.resolve();
  }
}
