import { Controller } from '@nestjs/common';
import { Answers, serviceAsks, type ChangeFacts, type QuestionOf, type ServiceDescription } from '@bourse/messaging';
import { NoticeAdmin, type WaitingMessage } from '../../application/notice-admin.js';

const SERVICE = 'notices';

/** The service's description of itself, and messages to everybody that wait for a second operator. */
@Controller()
export class NoticesAsksController {
  constructor(private readonly admin: NoticeAdmin) {}

  @Answers(serviceAsks.describe(SERVICE))
  describe(): ServiceDescription {
    return { service: SERVICE, audits: true, work: true };
  }

  /** A message depends on nothing that can change meanwhile. */
  @Answers(serviceAsks.approvalStanding(SERVICE))
  standing(): ChangeFacts {
    return {};
  }

  @Answers(serviceAsks.approvalCarryOut(SERVICE))
  async carryOut({ payload }: QuestionOf<typeof serviceAsks.approvalCarryOut>): Promise<null> {
    await this.admin.carryOut(payload as WaitingMessage);
    return null;
  }
}
