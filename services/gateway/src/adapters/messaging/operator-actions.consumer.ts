import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { decode, OperatorActionV1, TOPICS, type Message } from '@bourse/events';
import { Log } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { AuditLog } from '../../application/audit-log.js';
import { GatewayDatabase } from '../persistence/gateway-database.js';

/**
 * Takes what operators did in other services into the trail, in the transaction that moves the position: each line
 * once. One that cannot be read becomes a dead letter with an alarm, never a silent gap.
 */
@Injectable()
export class OperatorActionsConsumer implements OnApplicationBootstrap, OnApplicationShutdown {
  private handle: { stop(): Promise<void> } | undefined;

  constructor(
    private readonly log: Log,
    private readonly database: GatewayDatabase,
    private readonly trail: AuditLog,
  ) {}

  onApplicationBootstrap(): void {
    this.handle = this.log.consume({
      consumer: 'gateway.operator-actions',
      topic: TOPICS.operatorActions,
      database: this.database,
      handle: (messages, tx) => this.take(messages, tx),
    });
  }
  async onApplicationShutdown(): Promise<void> {
    await this.handle?.stop();
  }

  private async take(messages: readonly Message[], tx: Tx): Promise<void> {
    const actions = messages.map((message) => {
      const decoded = decode(OperatorActionV1, message);
      if (!decoded.ok) throw new Error(`an operator's action cannot be read: ${decoded.error}`);
      return decoded.body;
    });
    await this.trail.add(tx, actions);
  }
}
