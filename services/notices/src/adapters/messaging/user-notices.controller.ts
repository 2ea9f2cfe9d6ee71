import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { decode, TOPICS, UserNoticesV1 } from '@bourse/events';
import { batches, type MessageBatch } from '@bourse/messaging';
import { NoticeWriter } from '../../application/notice-writer.js';
import { NoticesDatabase } from '../../application/ports.js';

/** Notices that arrive within this time are written together, ms. */
const GATHER_MS = 100;

/** Takes the notices of all services, in the transaction that moves the position: each notice once. */
@Controller()
export class UserNoticesController {
  constructor(private readonly writer: NoticeWriter) {}

  @EventPattern(
    TOPICS.userNotices,
    batches({ consumer: 'notices.user-notices', database: NoticesDatabase, gatherMs: GATHER_MS }),
  )
  async take(@Payload() { messages, tx }: MessageBatch): Promise<void> {
    const notices = messages.flatMap((message) => {
      const decoded = decode(UserNoticesV1, message);
      if (!decoded.ok) throw new Error(`notices cannot be read: ${decoded.error}`);
      return decoded.body.notices;
    });
    await this.writer.write(tx, notices);
  }
}
