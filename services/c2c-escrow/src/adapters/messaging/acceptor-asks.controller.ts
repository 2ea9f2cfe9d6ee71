import { Controller } from '@nestjs/common';
import { Answers, serviceAsks, type QuestionOf } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import { AcceptorAdmin, type GrantPayload } from '../../application/acceptor-admin.js';
import { AcceptorGrants } from '../../application/acceptor-grants.js';
import { CASH_SCALE } from '../../domain/acceptor-deal.js';

/** What auth asks about grants of cash that wait for a second operator. */
@Controller()
export class AcceptorAsksController {
  constructor(
    private readonly admin: AcceptorAdmin,
    private readonly grants: AcceptorGrants,
  ) {}

  @Answers(serviceAsks.approvalStanding('c2c-escrow'))
  standing({ payload }: QuestionOf<typeof serviceAsks.approvalStanding>) {
    return this.admin.standing(payload as GrantPayload);
  }

  @Answers(serviceAsks.approvalCarryOut('c2c-escrow'))
  async carryOut({ payload }: QuestionOf<typeof serviceAsks.approvalCarryOut>): Promise<null> {
    const { userId, cashQuota } = payload as GrantPayload;
    await this.grants.grant(userId, toUnits(cashQuota, CASH_SCALE));
    return null;
  }
}
