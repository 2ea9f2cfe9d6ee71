import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { readBody, TOPICS, UserNoticesV1 } from '@bourse/events';
import { batches, type MessageBatch } from '@bourse/messaging';
import { NoticeWriter } from '../../application/notice-writer.js';
import { NoticesDatabase } from '../../application/ports.js';

/** Notices that arrive within this time are written together while many come, ms. */
const GATHER_MS = 250;

/** Takes the notices of all services, in the transaction that moves the position: each notice once. */
@Controller()
export class UserNoticesController {
  constructor(private readonly writer: NoticeWriter) {}

  @EventPattern(
    TOPICS.userNotices,
    batches({ consumer: 'notices.user-notices', database: NoticesDatabase, gatherMs: GATHER_MS, gatherWhen: 'busy' }),
  )
  async take(@Payload() { messages, tx }: MessageBatch): Promise<void> {
    await this.writer.write(
      tx,
      messages.flatMap((message) => readBody(UserNoticesV1, message).notices),
    );
  }
}
