import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { OperatorActionV1, readBody, TOPICS } from '@bourse/events';
import { batches, type MessageBatch } from '@bourse/messaging';
import { AuditLog } from '../application/audit-log.js';
import { GatewayDatabase } from '../../shared/persistence/gateway-database.js';

/**
 * Adds operators' actions in other services to the audit log, in the transaction that advances the position: each line
 * once. An unreadable one becomes a dead letter with an alarm, never a silent gap.
 */
@Controller()
export class OperatorActionsController {
  constructor(private readonly trail: AuditLog) {}

  @EventPattern(TOPICS.operatorActions, batches({ consumer: 'gateway.operator-actions', database: GatewayDatabase }))
  async take(@Payload() { messages, tx }: MessageBatch): Promise<void> {
    await this.trail.add(
      tx,
      messages.map((message) => readBody(OperatorActionV1, message)),
    );
  }
}
