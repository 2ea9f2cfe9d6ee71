import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { paymentInfo, regionUser, type DataPage, type PaymentInfo, type RegionUser } from '@bourse/contract';
import { Call, type Caller, CurrentCaller, dataPage, message, notice, Notice } from '@bourse/platform';
import * as z from 'zod/mini';
import { KycSubmission } from '../application/kyc-submission.js';
import { Payment } from '../../profile/application/payment.js';
import { RegionAgents } from '../../profile/application/region-agents.js';
import { BankBody, IdentityBody, PaymentBody, RegionUsersQuery } from './fields.js';

/**
 * Identity, bank, payment settings, and the people of a region agent (api §2.1). The order of the fields is the order
 * of rules §12.5.
 */
@ApiTags('auth')
@Controller()
export class IdentityController {
  constructor(
    private readonly papers: KycSubmission,
    private readonly payment: Payment,
    private readonly agents: RegionAgents,
  ) {}

  @Call(
    { method: 'POST', path: '/api/user/real_name', auth: 'user' },
    {
      summary: 'Submit documents for the identity check',
      answer: notice('kyc.submitted'),
      refuses: ['kyc.photoRequired', 'kyc.state'],
    },
  )
  async realName(@CurrentCaller() caller: Caller, @Body() fields: IdentityBody): Promise<Notice> {
    const { name, cardId, frontPic, reversePic, handPic } = fields;
    await this.papers.submit(caller, { name, cardId, frontPic, reversePic, handPic });
    return new Notice('kyc.submitted');
  }

  @Call(
    { method: 'POST', path: '/api/user/set_bank_account', auth: 'user' },
    { summary: 'Bind a bank account', answer: notice('bank.saved') },
  )
  async setBank(@CurrentCaller() caller: Caller, @Body() fields: BankBody): Promise<Notice> {
    await this.payment.setBank(caller, { ...fields });
    return new Notice('bank.saved');
  }

  @Call(
    { method: 'POST', path: '/api/user/cash_info', auth: 'user', whileFrozen: true },
    { summary: 'Own payment settings', answer: message(z.nullable(paymentInfo)) },
  )
  cashInfo(@CurrentCaller() caller: Caller): Promise<PaymentInfo | null> {
    return this.payment.info(caller);
  }

  @Call(
    { method: 'POST', path: '/api/user/cash_save', auth: 'user' },
    {
      summary: 'Save the payment settings; from the second time with the fund password',
      answer: notice('cash.saved'),
      refuses: ['cash.images', 'fund.wrong'],
    },
  )
  async cashSave(@CurrentCaller() caller: Caller, @Body() fields: PaymentBody): Promise<Notice> {
    const needed = await this.payment.needsPassword(caller);
    const { realName, bankName, bankAccount, alipayAccount, wechatAccount, wechatNickname } = fields;
    await this.payment.save(
      caller,
      { realName, bankName, bankAccount, alipayAccount, wechatAccount, wechatNickname },
      { alipay: fields.alipayCollect, wechat: fields.wechatCollect },
      { needed, given: fields.password },
    );
    return new Notice('cash.saved');
  }

  @Call(
    { method: 'GET', path: '/api/user/region_users', auth: 'user' },
    {
      summary: 'People of the own region, masked',
      answer: message(dataPage(regionUser)),
      refuses: ['region.forbidden'],
    },
  )
  regionUsers(@CurrentCaller() caller: Caller, @Query() fields: RegionUsersQuery): Promise<DataPage<RegionUser>> {
    return this.agents.users(caller, fields.page);
  }
}
