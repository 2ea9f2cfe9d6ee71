import { Controller } from '@nestjs/common';
import { Answers, serviceAsks, type QuestionOf } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import { AcceptorAdmin, type GrantPayload } from '../application/admin.js';
import { AcceptorGrants } from '../application/grants.js';
import { CASH_SCALE } from '../domain/acceptor-deal.js';

/** Answers auth about grants of cash that wait for a second operator. */
@Controller()
export class AcceptorAsksController {
  constructor(
    private readonly admin: AcceptorAdmin,
    private readonly grants: AcceptorGrants,
  ) {}

  @Answers(serviceAsks.approvalStanding('c2c-escrow'))
  currentValue({ payload }: QuestionOf<typeof serviceAsks.approvalStanding>) {
    return this.admin.findCurrent(payload as GrantPayload);
  }

  @Answers(serviceAsks.approvalCarryOut('c2c-escrow'))
  async carryOut({ payload, approval }: QuestionOf<typeof serviceAsks.approvalCarryOut>): Promise<null> {
    const { userId, cashQuota } = payload as GrantPayload;
    await this.grants.grantCash(userId, toUnits(cashQuota, CASH_SCALE), approval ?? null);
    return null;
  }
}
