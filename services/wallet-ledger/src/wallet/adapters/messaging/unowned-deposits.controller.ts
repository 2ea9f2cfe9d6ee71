import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { askedBy } from '@bourse/messaging';
import { UnownedDeposits, type WaitingDeposit } from '../../application/deposits/unowned-deposits.js';

/** Answers auth about deposits without an owner that wait for a second operator. */
@Controller()
export class UnownedDepositsController {
  constructor(private readonly unowned: UnownedDeposits) {}

  @MessagePattern('wallet-ledger.approval.standing', askedBy('auth'))
  standing(@Payload() { payload }: { payload: WaitingDeposit }) {
    return this.unowned.standing(payload);
  }

  @MessagePattern('wallet-ledger.approval.carryOut', askedBy('auth'))
  async carryOut(@Payload() { payload }: { payload: WaitingDeposit }): Promise<null> {
    await this.unowned.carryOut(payload);
    return null;
  }
}
