import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { askedBy } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import { AcceptorAdmin, type GrantPayload } from '../application/admin.js';
import { AcceptorGrants } from '../application/grants.js';
import { CASH_SCALE } from '../domain/acceptor-deal.js';

const AUTH = 'auth';

/** Answers auth about grants of cash that wait for a second operator. */
@Controller()
export class AcceptorAsksController {
  constructor(
    private readonly admin: AcceptorAdmin,
    private readonly grants: AcceptorGrants,
  ) {}

  @MessagePattern('c2c-escrow.approval.standing', askedBy(AUTH))
  standing(@Payload() { payload }: { payload: GrantPayload }) {
    return this.admin.findCurrent(payload);
  }

  @MessagePattern('c2c-escrow.approval.carryOut', askedBy(AUTH))
  async carryOut(@Payload() { payload }: { payload: GrantPayload }): Promise<null> {
    await this.grants.grantCash(payload.userId, toUnits(payload.cashQuota, CASH_SCALE));
    return null;
  }
}
