import { Controller } from '@nestjs/common';
import { Answers, serviceAsks, type QuestionOf } from '@bourse/messaging';
import { UnownedDeposits, type WaitingDeposit } from '../application/unowned-deposits.js';

/** Answers auth about deposits without an owner that wait for a second operator. */
@Controller()
export class UnownedDepositsController {
  constructor(private readonly unowned: UnownedDeposits) {}

  @Answers(serviceAsks.approvalStanding('wallet-ledger'))
  currentValue({ payload }: QuestionOf<typeof serviceAsks.approvalStanding>) {
    return this.unowned.currentValue(payload as WaitingDeposit);
  }

  @Answers(serviceAsks.approvalCarryOut('wallet-ledger'))
  async carryOut({ payload, approval }: QuestionOf<typeof serviceAsks.approvalCarryOut>): Promise<null> {
    await this.unowned.carryOut(payload as WaitingDeposit, approval?.id ?? null);
    return null;
  }
}
